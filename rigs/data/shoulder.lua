-- A right shoulder whose clavicle and scapula follow the bone pins of data/shoulder_ludewig.lua.
-- Metres and degrees; points of the thorax from the jugular notch, points of a bone in its
-- anatomical frame (parts/isb.lua).
--
-- Fitted by least squares to the 60 measured angles of clavicle and scapula: the rest angles, the
-- curves up to 120 degrees, the ellipsoid, the contact pairs and the two axes of the scapula, with
-- the ellipsoid held outside the ribs, the pairs held near the blade's inner edge, and contact
-- asked for over all of the DOFs' ranges; the scapula's axis started from the paper's. The fit also
-- holds the ratio of glenohumeral to scapulothoracic motion in 2.0 to 2.5, see rigs/README.md.
-- Clavicle axial rotation is the mean of the three planes. Chosen: lengths, ranges, cones, the
-- curves beyond 120 degrees and behind the body. rigs/tools/measure.lua prints how well it does.
local sinew = require "sinew"

local monotone, piecewise = sinew.monotone, sinew.piecewise

return {
  range = {
    raise = { 0, 175 }, swing = { -90, 130, rest = 40 }, twist = { -97, 60 },
    shrug = { -8, 25 }, protract = { -18, 22 },
  },

  clavicle = {
    at = { -0.02, 0, 0 }, length = 0.15,
    retraction = 19.22, elevation = 5.97,
    -- an arm in front of the chest or behind the back leaves the shoulder less room
    -- [Shao 2003, 4.5], and so does one that is raised; then the arm takes the clavicle along
    protraction_depends = {
      { by = "plane", lower = piecewise { { -90, -8 }, { -30, -18 }, { 90, -18 }, { 130, -12 } },
        upper = piecewise { { -90, 12 }, { -30, 22 }, { 90, 22 }, { 130, 14 } } },
      { by = "raise", upper = piecewise { { 0, 22 }, { 60, 20 }, { 120, 13 }, { 170, 5 } } },
      { by = "raise", offset = monotone { { 0, 0 }, { 30, -5.98 }, { 60, -9.74 }, { 90, -12.62 },
        { 120, -17.87 }, { 170, -23 } } },
      { by = "plane", offset = monotone { { -90, -9.66 }, { 0, -7.43 }, { 40, 0 }, { 90, 6.1 },
        { 130, 7.93 } } },
    },
    elevation_depends = {
      { by = "raise", offset = monotone { { 0, 0 }, { 30, 5.93 }, { 60, 8.3 }, { 90, 9.69 },
        { 120, 10.83 }, { 170, 12.5 } } },
      { by = "plane", offset = monotone { { -90, -4 }, { 0, 2.46 }, { 40, 0 }, { 90, -2.18 },
        { 130, -2.84 } } },
    },
    axial = monotone { { 0, 0 }, { 30, 1.7 }, { 60, 7.8 }, { 90, 15 }, { 120, 24.7 }, { 170, 40 } },
    cone = { 38, 42, 12, 30 }, -- up, back, down, forward
    twist_limits = { 0, 45 },
  },

  scapula = {
    internal = 41.89, upward = 3.78, tilt = -14.12,
    glenohumeral = { -0.012, -0.034, 0.012 },
    rhythm = {
      { by = "raise", map = monotone { { 0, 0 }, { 30, 11.79 }, { 60, 23.96 }, { 90, 34.16 },
        { 120, 46.08 }, { 170, 60 } } },
      { by = "plane", offset = monotone { { -90, -14 }, { 0, 1.81 }, { 40, 0 }, { 90, -0.03 },
        { 130, -0.04 } } },
    },
    turn_axis = { -0.1888, 0.1607, -1 },
    slide_axis = { -0.0662, -0.9212, 0.1832 },
    -- lifted, lowered and at rest, turned
    pair1 = { { 0.09081, -0.0897, 0.00117 }, { 0.0936, -0.02095, 0.00334 } },
    pair2 = { { 0.08775, -0.09966 }, { 0.0967, -0.01286 } },
    pair3 = { { 0.08942, -0.08638, -0.01089 }, { 0.09341, -0.00283, 0.00327 } },
    lift_range = { 0, 40 }, rotation_range = { 0, 50 },
    window = { -60, 60 }, psi_window = { -60, 60 },
    -- the bone: where it meets the clavicle, the middle of the socket's surface and of the ball
    -- that hollows it, and three corners
    bone = { acromion = { -0.0032, -0.001, 0 }, glenoid = { 0.0075, -0.034, 0.007 },
      hollow = { -0.017, -0.034, 0.0125 }, root = { 0.1, 0, 0 },
      inferior = { 0.117, -0.107, -0.004 }, coracoid = { 0.003, -0.019, 0.034 },
      fit = { cor_knee = { 0.027, -0.013, 0.014 } } },
  },

  humerus = {
    length = 0.3,
    plane_lower = piecewise { { 0, 40 }, { 25, -90 } },
    plane_upper = piecewise { { 0, 40 }, { 25, 130 } },
    -- the paper's intervals; the head rolls and glides by a few millimetres
    intervals = { 0, 60, 180 }, centres = { { 0, -0.0015, 0 }, { 0, 0.001, 0 } },
    cone = require "data.shoulder_cone",
  },

  ellipsoid = { centre = { -0.04659, -0.11321, -0.05094 }, radii = { 0.10464, 0.20107, 0.08081 },
    turn = { -5.06, 3.21, -2.35 } },
}
