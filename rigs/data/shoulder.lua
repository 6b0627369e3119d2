-- A right shoulder whose clavicle and scapula follow the bone pins of data/shoulder_ludewig.lua.
-- Metres and degrees; points of the thorax from the jugular notch, points of a bone in its
-- anatomical frame (parts/isb.lua).
--
-- Fitted by least squares to the 60 measured angles of clavicle and scapula: the rest angles, the
-- curves up to 120 degrees, the ellipsoid, the contact pairs and the two axes of the scapula, with
-- the ellipsoid held outside the ribs and the pairs held near the blade's inner edge; the
-- scapula's axis and the order of the pairs started from the paper's. Chosen: lengths, ranges,
-- cones, the curves beyond 120 degrees and behind the body. rigs/measure.lua prints how well it
-- does.
local sinew = require "sinew"

local monotone, piecewise = sinew.monotone, sinew.piecewise

return {
  range = {
    raise = { 0, 170 }, swing = { -90, 130, rest = 40 }, twist = { -97, 60 },
    shrug = { -8, 28 }, protract = { -18, 22 },
  },

  clavicle = {
    at = { -0.02, 0, 0 }, length = 0.15,
    retraction = 19.5, elevation = 5.95,
    -- an arm in front of the chest or behind the back leaves the shoulder less room (seed 000, 4.5);
    -- then the arm takes the clavicle along
    protraction_depends = {
      { by = "plane", lower = piecewise { { -90, -8 }, { -30, -18 }, { 90, -18 }, { 130, -12 } },
        upper = piecewise { { -90, 12 }, { -30, 22 }, { 90, 22 }, { 130, 12 } } },
      { by = "raise", offset = monotone { { 0, 0 }, { 30, -5.7 }, { 60, -9.45 }, { 90, -12.4 },
        { 120, -17.6 }, { 170, -23 } } },
      { by = "plane", offset = monotone { { -90, -9.6 }, { 0, -7.4 }, { 40, 0 }, { 90, 6.05 },
        { 130, 7.9 } } },
    },
    elevation_depends = {
      { by = "raise", offset = monotone { { 0, 0 }, { 30, 5.9 }, { 60, 8.35 }, { 90, 9.75 },
        { 120, 10.8 }, { 170, 12.5 } } },
      { by = "plane", offset = monotone { { -90, -4 }, { 0, 2.45 }, { 40, 0 }, { 90, -2.15 },
        { 130, -2.8 } } },
    },
    axial = monotone { { 0, 0 }, { 30, 1.7 }, { 60, 7.8 }, { 90, 15 }, { 120, 24.7 }, { 170, 40 } },
    cone = { 38, 42, 12, 30 }, -- up, back, down, forward
    twist_limits = { 0, 45 },
  },

  scapula = {
    internal = 40.8, upward = 5.4, tilt = -14.65,
    glenohumeral = { -0.012, -0.034, 0.012 },
    rhythm = {
      { by = "raise", map = monotone { { 0, 0 }, { 30, 12.6 }, { 60, 25.15 }, { 90, 36.05 },
        { 120, 48.25 }, { 170, 60 } } },
      { by = "plane", offset = monotone { { -90, -14 }, { 0, 2.3 }, { 40, 0 }, { 90, -0.35 },
        { 130, -0.45 } } },
    },
    turn_axis = { -0.09, 0.105, -1 },
    slide_axis = { 0.109, -0.916, 0.38 },
    -- lifted, lowered and at rest, turned
    pair1 = { { 0.0913, -0.0894, 0.0024 }, { 0.0929, -0.0206, 0.0034 } },
    pair2 = { { 0.0866, -0.1024 }, { 0.0872, -0.0136 } },
    pair3 = { { 0.0902, -0.0831, -0.0119 }, { 0.1016, -0.0035, 0.0024 } },
    lift_range = { 0, 40 }, rotation_range = { 0, 50 },
    window = { -80, 80 }, psi_window = { -80, 80 },
    bone = { acromion = { -0.008, -0.001, -0.008 }, glenoid = { 0.012, -0.034, 0.006 },
      coracoid = { 0.014, -0.03, 0.04 }, root = { 0.1, 0, 0 }, superior = { 0.082, 0.034, 0.006 },
      inferior = { 0.088, -0.112, 0 } },
  },

  humerus = {
    length = 0.3,
    plane_lower = piecewise { { 0, 40 }, { 25, -90 } },
    plane_upper = piecewise { { 0, 40 }, { 25, 130 } },
    -- the paper's intervals; the head rolls and glides by a few millimetres
    intervals = { 0, 60, 180 }, centres = { { 0, -0.0015, 0 }, { 0, 0.001, 0 } },
    cone = require "data.shoulder_cone",
  },

  ellipsoid = { centre = { -0.0493, -0.1038, -0.05065 }, radii = { 0.1012, 0.2047, 0.08045 },
    turn = { -5.57, 0.66, -2.21 } },
}
