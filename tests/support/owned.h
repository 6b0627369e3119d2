/* `OWNED(rig) *rig = make_rig(b, NULL);` destroys the rig at the end of its block, also if a check
 * fails and leaves the test. Later declarations are destroyed first. `FREED char *text = ...` does
 * the same with free(). */
#ifndef OWNED_H
#define OWNED_H

#include "sinew/fit_map.h"
#include "sinew/host.h"
#include "sinew/osim.h"
#include "sinew/sinew.h"
#include "sinew/tuning.h"

#include <stdlib.h>

#define OWNED(type) __attribute__((cleanup(owned_##type), unused)) sinew_##type
#define OWNED_TYPE(type)                                                                           \
  static inline void owned_##type(sinew_##type **owned) { sinew_##type##_destroy(*owned); }
OWNED_TYPE(batch)
OWNED_TYPE(builder)
OWNED_TYPE(character)
OWNED_TYPE(character_take)
OWNED_TYPE(clip)
OWNED_TYPE(cone)
OWNED_TYPE(curve)
OWNED_TYPE(fit)
OWNED_TYPE(fit_map)
OWNED_TYPE(fit_parts)
OWNED_TYPE(gltf)
OWNED_TYPE(host)
OWNED_TYPE(mesh)
OWNED_TYPE(motion)
OWNED_TYPE(osim)
OWNED_TYPE(pose)
OWNED_TYPE(recording)
OWNED_TYPE(rig)
OWNED_TYPE(skeleton)
OWNED_TYPE(skin)
OWNED_TYPE(solve_batch)
OWNED_TYPE(solver)
OWNED_TYPE(surface)
OWNED_TYPE(tangent)
OWNED_TYPE(tuning)
OWNED_TYPE(xml)
static inline void owned_field(sinew_field **owned) { sinew_field_release(*owned); }
static inline void owned_solid(sinew_solid **owned) { sinew_solid_release(*owned); }

#define FREED __attribute__((cleanup(owned_memory)))
static inline void owned_memory(void *owned) { free(*(void **)owned); }

#endif
