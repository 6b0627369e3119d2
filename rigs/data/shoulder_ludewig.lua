-- Where clavicle and scapula stand when the arm is raised: bone pins in 12 healthy adults.
-- Ludewig, Phadke, Braman, Hassett, Cieminski, LaPrade: Motion of the shoulder complex during
-- multiplanar humeral elevation. Journal of Bone and Joint Surgery 91-A, 2009. Degrees, at
-- humerothoracic elevations of 30, 60, 90 and 120; angles as in parts/isb.lua.
return {
  elevations = { 30, 60, 90, 120 },
  planes = {
    { name = "abduction", plane = 0,
      upward = { 15.6, 26.5, 36.5, 46.4 }, internal = { 31.2, 30.5, 30.8, 30.6 },
      tilt = { -10.2, -6.1, -2.1, 3.8 }, elevation = { 14.3, 16.8, 18.1, 19.5 },
      retraction = { 31.3, 37.3, 40.6, 44.0 }, axial = { 3.1, 8.6, 15.8, 24.8 },
      glenohumeral = { 8.6, 29.7, 53.1, 74.3 } },
    { name = "scaption", plane = 40,
      upward = { 15.5, 26.0, 34.4, 43.5 }, internal = { 38.5, 38.8, 39.0, 37.2 },
      tilt = { -11.2, -6.8, -2.8, 2.7 }, elevation = { 11.5, 14.4, 15.5, 16.9 },
      retraction = { 24.6, 29.0, 32.0, 36.3 }, axial = { 1.9, 8.2, 15.2, 24.3 },
      glenohumeral = { 14.1, 34.3, 56.0, 76.8 } },
    { name = "flexion", plane = 90,
      upward = { 15.1, 24.4, 32.9, 43.3 }, internal = { 44.3, 46.7, 47.8, 43.5 },
      tilt = { -10.4, -5.7, -1.4, 5.4 }, elevation = { 10.1, 12.0, 13.5, 14.5 },
      retraction = { 20.4, 22.7, 24.8, 31.7 }, axial = { 0.0, 6.6, 14.1, 25.0 },
      glenohumeral = { 12.4, 33.7, 58.2, 77.7 } },
  },
  -- glenohumeral to scapulothoracic motion from 30 to 120
  ratio = { abduction = 2.13, scaption = 2.24, flexion = 2.32 },
}
