-- Angles of clavicle, scapula and humerus against the thorax, by the recommendation of the
-- International Society of Biomechanics (Wu et al. 2005), from world matrices.
--
-- The Society's axes are x forward, y up, z to the right; ours are z, y and -x. The segments of
-- parts/shoulder.lua stand in the bones' anatomical frames: x runs along the bone towards the
-- middle of the body (clavicle: acromial to sternal end; scapula: acromio-clavicular joint to the
-- root of the spine), y up, z forward, and the scapula's plate is in z = 0. So the order y-x'-z''
-- of the Society is 'yzx' here:
--
--   thorax^-1 * scapula  = Ry(internal rotation) Rz(-upward rotation) Rx(-posterior tilt)
--   thorax^-1 * clavicle = Ry(-retraction) Rz(-elevation) Rx(-posterior axial rotation)
--
-- The arm's elevation is the angle between its long axis and the thorax's downward axis; the
-- glenohumeral one is what of the angle to the scapula lies in the scapula's plane (the first angle
-- of x-z'-y''). Angles of the left side are those of its mirror image.
local sinew = require "sinew"

local isb = {}

local mirror = sinew.mat4.scaling(-1, 1, 1)

local function relative(base, bone, side)
  local m = base:inverse() * bone
  if side == "left" then m = mirror * m * mirror end
  return m
end

-- internal rotation, upward rotation, posterior tilt
function isb.scapula(thorax, scapula, side)
  local internal, downward, anterior = relative(thorax, scapula, side):angles "yzx"
  return internal, -downward, -anterior
end

-- retraction, elevation, posterior axial rotation
function isb.clavicle(thorax, clavicle, side)
  local protraction, depression, anterior = relative(thorax, clavicle, side):angles "yzx"
  return -protraction, -depression, -anterior
end

-- elevation, and its plane: 0 to the side, 90 forward
function isb.arm(thorax, humerus, side)
  local down = relative(thorax, humerus, side):direction { 0, -1, 0 }
  return sinew.acos(math.max(-1, math.min(1, -down.y))), sinew.atan2(down.z, -down.x)
end

function isb.glenohumeral(scapula, humerus, side)
  local down = relative(scapula, humerus, side):direction { 0, -1, 0 }
  return sinew.atan2(-down.x, -down.y)
end

return isb
