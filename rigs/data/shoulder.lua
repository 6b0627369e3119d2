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
    retraction = 19.3, elevation = 5.95,
    -- an arm in front of the chest or behind the back leaves the shoulder less room (seed 000, 4.5),
    -- and so does one that is raised; then the arm takes the clavicle along
    protraction_depends = {
      { by = "plane", lower = piecewise { { -90, -8 }, { -30, -18 }, { 90, -18 }, { 130, -12 } },
        upper = piecewise { { -90, 12 }, { -30, 22 }, { 90, 22 }, { 130, 14 } } },
      { by = "raise", upper = piecewise { { 0, 22 }, { 60, 20 }, { 120, 13 }, { 170, 5 } } },
      { by = "raise", offset = monotone { { 0, 0 }, { 30, -5.9 }, { 60, -9.64 }, { 90, -12.58 },
        { 120, -17.78 }, { 170, -23 } } },
      { by = "plane", offset = monotone { { -90, -9.62 }, { 0, -7.4 }, { 40, 0 }, { 90, 6.09 },
        { 130, 7.91 } } },
    },
    elevation_depends = {
      { by = "raise", offset = monotone { { 0, 0 }, { 30, 5.94 }, { 60, 8.34 }, { 90, 9.76 },
        { 120, 10.81 }, { 170, 12.5 } } },
      { by = "plane", offset = monotone { { -90, -4 }, { 0, 2.45 }, { 40, 0 }, { 90, -2.17 },
        { 130, -2.82 } } },
    },
    axial = monotone { { 0, 0 }, { 30, 1.7 }, { 60, 7.8 }, { 90, 15 }, { 120, 24.7 }, { 170, 40 } },
    cone = { 38, 42, 12, 30 }, -- up, back, down, forward
    twist_limits = { 0, 45 },
  },

  scapula = {
    internal = 41.19, upward = 4.83, tilt = -14.6,
    glenohumeral = { -0.012, -0.034, 0.012 },
    rhythm = {
      { by = "raise", map = monotone { { 0, 0 }, { 30, 12.71 }, { 60, 24.94 }, { 90, 35.6 },
        { 120, 47.56 }, { 170, 60 } } },
      { by = "plane", offset = monotone { { -90, -14 }, { 0, 2.3 }, { 40, 0 }, { 90, -0.32 },
        { 130, -0.41 } } },
    },
    turn_axis = { -0.1655, 0.1199, -1 },
    slide_axis = { -0.0452, -0.9101, 0.3779 },
    -- lifted, lowered and at rest, turned
    pair1 = { { 0.09099, -0.08938, 0.00256 }, { 0.09336, -0.02042, 0.00299 } },
    pair2 = { { 0.08766, -0.10185 }, { 0.0885, -0.01278 } },
    pair3 = { { 0.09117, -0.08421, -0.01195 }, { 0.0989, -0.00289, 0.00237 } },
    lift_range = { 0, 40 }, rotation_range = { 0, 50 },
    window = { -60, 60 }, psi_window = { -60, 60 },
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

  ellipsoid = { centre = { -0.04975, -0.10739, -0.05063 }, radii = { 0.10096, 0.20261, 0.08055 },
    turn = { -5.73, 1.55, -2.57 } },
}
