-- The knee, right side, as in the OpenSim model of Rajagopal et al. 2016 ("Full-body
-- musculoskeletal model for muscle-driven simulation of human gait", IEEE Trans. Biomed. Eng. 63),
-- whose tibia follows Walker et al. 1988 and whose patella comes from Arnold et al. 2010.
--
-- Numbers as printed there: radians and metres, frames with x forward, y up, z to the right.
return {
  -- joint 'walker_knee_r': the joint frame in the femur, whose origin is the hip, and in the tibia
  femur = { at = { -0.00809, -0.40796, -0.00275 } },
  tibia = { at = { -0.00808954, -0.0035348, -0.00148474 } },
  -- both turned by Rx Ry Rz; then x is the axis of flexion, z that of adduction, y that of the
  -- internal rotation
  turn = { -1.64157, 1.44618, 1.5708 },

  -- every spline below has these knee angles
  angles = { 0, 0.174533, 0.349066, 0.523599, 0.698132, 0.872665, 1.0472, 1.22173, 1.39626, 1.5708,
    1.74533, 1.91986, 2.0944 },

  adduction = { 0, 0.0126809, 0.0226969, 0.0296054, 0.0332049, 0.0335354, 0.0308779, 0.0257548,
    0.0189295, 0.011407, 0.00443314, -0.00050475, -0.0016782 },
  internal = { 0, 0.059461, 0.109399, 0.150618, 0.18392, 0.210107, 0.229983, 0.24435, 0.254012,
    0.25977, 0.262428, 0.262788, 0.261654 },
  tibia_y = { 0, 0.000479, 0.000835, 0.001086, 0.001251, 0.001346, 0.001391, 0.001403, 0.0014,
    0.0014, 0.001421, 0.001481, 0.001599 },
  tibia_z = { 0, 0.000988, 0.001899, 0.002734, 0.003492, 0.004173, 0.004777, 0.005305, 0.005756,
    0.00613, 0.006427, 0.006648, 0.006792 },

  -- joint 'patellofemoral_r': the patella in the joint's place on the femur, not turned
  patella_turn = { 0.00113686, -0.00629212, -0.105582, -0.253683, -0.414245, -0.579047, -0.747244,
    -0.91799, -1.09044, -1.26379, -1.43763, -1.61186, -1.78634 },
  patella_x = { 0.0524, 0.0488, 0.0437, 0.0371, 0.0296, 0.0216, 0.0136, 0.0057, -0.0019, -0.0088,
    -0.0148, -0.0196, -0.0227 },
  patella_y = { -0.0108, -0.019, -0.0263, -0.0322, -0.0367, -0.0395, -0.0408, -0.0404, -0.0384,
    -0.0349, -0.0301, -0.0245, -0.0187 },
  patella_z = 0.00275,

  ankle = { -0.01, -0.4, 0 }, -- joint 'ankle_r' in the tibia

  -- The fibula is one body with the tibia in that model. Its head glides forwards when the knee
  -- bends and lets go of the lateral ligament and the biceps (Ogden 1974); how far is chosen: 2 mm
  -- at 120 degrees. Places in the tibia's frame chosen after its bones.
  fibula = {
    head = { -0.022, -0.045, 0.038 },
    malleolus = { -0.022, -0.415, 0.03 },
    glide = { { 0, 0 }, { 30, 0.0008 }, { 60, 0.0014 }, { 90, 0.0018 }, { 120, 0.002 } },
  },
}
