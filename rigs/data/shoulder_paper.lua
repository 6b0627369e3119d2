-- The right shoulder with the numbers printed in [Shao 2003, 5.2], to the letter; they are
-- in centimetres there. What it does not print is from data/shoulder.lua, but for the ellipsoid,
-- which is placed so that the printed points touch it at rest, and for bounds and ranges.
local sinew = require "sinew"
local units = require "sinew.units"
local fitted = require "data.shoulder"

local cm, piecewise = units.cm, sinew.piecewise

return {
  range = {
    raise = { 0, 175 }, swing = { -90, 130, rest = 40 }, twist = { -97, 60 },
    shrug = { -10, 25 }, protract = { -18, 18 },
  },

  clavicle = {
    at = fitted.clavicle.at, length = fitted.clavicle.length,
    retraction = fitted.clavicle.retraction, elevation = fitted.clavicle.elevation,
    protraction_depends = {
      { by = "plane", lower = piecewise { { -90, -8 }, { -30, -18 }, { 90, -18 }, { 130, -12 } },
        upper = piecewise { { -90, 12 }, { -30, 18 }, { 90, 18 }, { 130, 12 } } },
    },
    -- printed
    elevation_depends = {
      { by = "raise",
        lower = piecewise { { 0, -10 }, { 60, -6.7 }, { 120, 4.85 }, { 180, 23 } } },
    },
    cone = fitted.clavicle.cone,
  },

  scapula = {
    internal = fitted.scapula.internal, upward = fitted.scapula.upward,
    tilt = fitted.scapula.tilt, glenohumeral = fitted.scapula.glenohumeral,
    -- "almost linearly dependent" (section 4.5), without a number
    rhythm = { { by = "raise", map = sinew.linear { { 0, 0 }, { 180, 60 } } } },
    turn_axis = { 0, 0, -1 },
    -- printed
    slide_axis = { 0.263, -0.912, 0.314 },
    pair1 = cm { { 8.5, -4, -0.3 }, { 8.7, -2.4, -0.1 } },
    pair2 = cm { { 8.2, 0, -0.1 }, { 7.5, 2, 0 } },
    pair3 = cm { { 8, 2, -0.8 }, { 7, 3, -0.6 } },
    lift_range = { 0, 40 }, rotation_range = { 0, 60 },
    window = { -80, 80 }, psi_window = { -80, 80 },
    bone = fitted.scapula.bone,
  },

  humerus = {
    length = fitted.humerus.length,
    plane_lower = fitted.humerus.plane_lower, plane_upper = fitted.humerus.plane_upper,
    -- printed
    intervals = { 0, 60, 180 },
    centres = cm { { -0.373, -0.247, -0.181 }, { -0.373, 0.449, -0.181 } },
    cone = fitted.humerus.cone,
  },

  -- fitted, the centre so that both points of pair2 touch at rest
  ellipsoid = { centre = { -0.0405, -0.08467317, -0.0538409569 },
    radii = { 0.0829, 0.2117, 0.0824 }, turn = { -7.19, 3.75, -1.24 } },
}
