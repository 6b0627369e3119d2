/* The movements of a crowd: MOVEMENT(name, rows), each row MOVE(words, side, from, to, wave,
 * phase).
 *
 * `words` are "set.dof": parts of the names of a joint set and of its DOF. Sides: BOTH, ONE or the
 * OTHER, where names have a side; TURNS: both, the left half a beat after the right. `from` and
 * `to` are relative to rest: 1 is the DOF's largest value, -1 the smallest. Waves go from 0 to 1:
 * SWELL up and down in a beat, QUICK twice in a beat, STEP up in half a beat and still for the
 * other half, SLOW at random; `phase` is in eighths of a beat. */

/* small movements added to every other, for DOFs that it has no row for */
MOVEMENT("stand", MOVE("shoulder.raise", BOTH, 0.03f, 0.07f, SLOW, 0),
         MOVE("elbow.flex", BOTH, 0.08f, 0.16f, SLOW, 1),
         MOVE("hand.curl", BOTH, 0.15f, 0.45f, SLOW, 2),
         MOVE("thoracic.flex", BOTH, -0.06f, 0.06f, SLOW, 3),
         MOVE("cervical.twist", BOTH, -0.25f, 0.25f, SLOW, 4),
         MOVE("jaw.open", BOTH, 0, 0.08f, SLOW, 5))
MOVEMENT("march", MOVE("hip.flex", TURNS, 0, 0.42f, STEP, 0),
         MOVE("knee.flex", TURNS, 0.02f, 0.66f, STEP, 0),
         MOVE("ankle.flex", TURNS, 0, -0.3f, STEP, 0),
         MOVE("shoulder.raise", TURNS, 0.04f, 0.26f, SWELL, 2),
         MOVE("shoulder.swing", BOTH, 0.55f, 0.55f, SWELL, 0),
         MOVE("elbow.flex", TURNS, 0.2f, 0.5f, SWELL, 2),
         MOVE("lumbar.twist", BOTH, -0.2f, 0.2f, SWELL, 2),
         MOVE("leg.stride", TURNS, -0.2f, 0.4f, SWELL, 0),
         MOVE("leg.crouch", TURNS, 0, 0.5f, STEP, 0))
MOVEMENT("wave", MOVE("shoulder.raise", ONE, 0.56f, 0.62f, SWELL, 0),
         MOVE("shoulder.twist", ONE, 0.85f, 0.85f, SWELL, 0),
         MOVE("elbow.flex", ONE, 0.38f, 0.7f, QUICK, 0),
         MOVE("wrist.deviation", ONE, -0.5f, 0.5f, QUICK, 2),
         MOVE("hand.spread", ONE, 0.3f, 0.6f, SWELL, 0),
         MOVE("hand.curl", ONE, -0.1f, 0.05f, SLOW, 0),
         MOVE("cervical.bend", BOTH, -0.15f, 0.3f, SWELL, 1),
         MOVE("lumbar.bend", BOTH, -0.1f, 0.15f, SWELL, 0))
MOVEMENT("bow", MOVE("lumbar.flex", BOTH, 0, 0.85f, SWELL, 0),
         MOVE("thoracic.flex", BOTH, 0, 0.6f, SWELL, 0),
         MOVE("cervical.flex", BOTH, -0.1f, 0.4f, SWELL, 7),
         MOVE("knee.flex", BOTH, 0.03f, 0.12f, SWELL, 0),
         MOVE("hip.flex", BOTH, 0.02f, 0.06f, SWELL, 0),
         MOVE("shoulder.raise", ONE, 0.08f, 0.3f, SWELL, 0),
         MOVE("shoulder.swing", ONE, 0.5f, 0.5f, SWELL, 0),
         MOVE("elbow.flex", ONE, 0.1f, 0.6f, SWELL, 0),
         MOVE("neck.raise", BOTH, 0, -0.7f, SWELL, 0), MOVE("waist.first", BOTH, 0, 0.7f, SWELL, 0),
         MOVE("back.first", BOTH, 0, 0.7f, SWELL, 0))
MOVEMENT("look about", MOVE("cervical.twist", BOTH, -0.85f, 0.85f, SWELL, 0),
         MOVE("cervical.flex", BOTH, -0.25f, 0.2f, SWELL, 3),
         MOVE("head.turn", BOTH, -0.8f, 0.8f, SWELL, 0),
         MOVE("thoracic.twist", BOTH, -0.35f, 0.35f, SWELL, 1),
         MOVE("shoulder.raise", ONE, 0.34f, 0.36f, SWELL, 0),
         MOVE("shoulder.swing", ONE, 0.45f, 0.45f, SWELL, 0),
         MOVE("elbow.flex", ONE, 0.86f, 0.9f, SWELL, 0),
         MOVE("shoulder.twist", ONE, 0.6f, 0.6f, SWELL, 0),
         MOVE("neck.sway", BOTH, -0.8f, 0.8f, SWELL, 0),
         MOVE("neck.twist", BOTH, -0.7f, 0.7f, SWELL, 0),
         MOVE("tail.sway", BOTH, -0.4f, 0.4f, SWELL, 4))
MOVEMENT("stretch", MOVE("shoulder.raise", BOTH, 0.15f, 0.95f, SWELL, 0),
         MOVE("shoulder.swing", BOTH, 0.55f, 0.55f, SWELL, 0),
         MOVE("shoulder.twist", BOTH, 0, 0.6f, SWELL, 0),
         MOVE("elbow.flex", BOTH, 0.35f, 0.08f, SWELL, 0),
         MOVE("lumbar.flex", BOTH, 0, -0.45f, SWELL, 0),
         MOVE("thoracic.flex", BOTH, 0, -0.4f, SWELL, 0),
         MOVE("cervical.flex", BOTH, 0, -0.5f, SWELL, 0), MOVE("jaw.open", BOTH, 0, 0.7f, SWELL, 1),
         MOVE("hand.spread", BOTH, 0, 0.7f, SWELL, 0),
         MOVE("wing.flap", BOTH, -0.2f, 0.9f, SWELL, 0),
         MOVE("neck.raise", BOTH, 0, 0.8f, SWELL, 0))
MOVEMENT("dance", MOVE("lumbar.bend", BOTH, -0.6f, 0.6f, SWELL, 0),
         MOVE("thoracic.bend", BOTH, 0.35f, -0.35f, SWELL, 0),
         MOVE("cervical.bend", BOTH, -0.4f, 0.4f, SWELL, 1),
         MOVE("lumbar.twist", BOTH, -0.4f, 0.4f, SWELL, 2),
         MOVE("hip.flex", TURNS, 0.04f, 0.22f, STEP, 0),
         MOVE("knee.flex", TURNS, 0.08f, 0.42f, STEP, 0),
         MOVE("ankle.flex", TURNS, 0.2f, -0.25f, STEP, 0),
         MOVE("shoulder.raise", TURNS, 0.2f, 0.46f, SWELL, 0),
         MOVE("shoulder.swing", TURNS, -0.1f, 0.3f, SWELL, 2),
         MOVE("elbow.flex", TURNS, 0.35f, 0.7f, SWELL, 4),
         MOVE("shoulder.twist", BOTH, 0.3f, 0.7f, SWELL, 0))
MOVEMENT("box", MOVE("shoulder.raise", TURNS, 0.3f, 0.5f, STEP, 0),
         MOVE("shoulder.swing", BOTH, 0.6f, 0.6f, SWELL, 0),
         MOVE("shoulder.twist", BOTH, 0.35f, 0.35f, SWELL, 0),
         MOVE("elbow.flex", TURNS, 0.9f, 0.12f, STEP, 0),
         MOVE("hand.curl", BOTH, 0.9f, 0.9f, SWELL, 0),
         MOVE("thoracic.twist", BOTH, -0.4f, 0.4f, SWELL, 6),
         MOVE("lumbar.twist", BOTH, -0.4f, 0.4f, SWELL, 6),
         MOVE("knee.flex", BOTH, 0.12f, 0.2f, QUICK, 0),
         MOVE("hip.flex", BOTH, 0.06f, 0.1f, QUICK, 0),
         MOVE("ankle.flex", BOTH, 0.5f, 0.9f, QUICK, 0))
MOVEMENT("bend the knees", MOVE("hip.flex", BOTH, 0.01f, 0.2f, SWELL, 0),
         MOVE("knee.flex", BOTH, 0.02f, 0.41f, SWELL, 0), MOVE("ankle.flex", BOTH, 0, 1, SWELL, 0),
         MOVE("shoulder.raise", BOTH, 0.06f, 0.46f, SWELL, 0),
         MOVE("shoulder.swing", BOTH, 0.55f, 0.55f, SWELL, 0),
         MOVE("elbow.flex", BOTH, 0.06f, 0.1f, SWELL, 0),
         MOVE("leg.crouch", BOTH, 0, 0.6f, SWELL, 0),
         MOVE("shoulder.first", BOTH, 0, 0.5f, SWELL, 0))
MOVEMENT("fly", MOVE("wing.flap", BOTH, -0.7f, 0.8f, SWELL, 0),
         MOVE("wing.twist", BOTH, -0.4f, 0.4f, SWELL, 2),
         MOVE("wing.camber", BOTH, -0.5f, 0.5f, SWELL, 2),
         MOVE("tail.wave", BOTH, -0.5f, 0.5f, SWELL, 1),
         MOVE("neck.raise", BOTH, -0.3f, 0.3f, SWELL, 4))
