/* Makes the meshes of solids on other threads: first what can be shown at once, then fine ones. */
#ifndef VIEWER_BONE_MAKER_H
#define VIEWER_BONE_MAKER_H

#include <sinew/solid.h>

typedef struct bone_maker bone_maker;

/* `cache` is a folder for finished meshes, or NULL; `low` asks for meshes with few triangles as
 * well. Returns NULL if memory or threads run out. */
bone_maker *bone_maker_create(const char *cache, bool low);
void bone_maker_destroy(bone_maker *maker); /* NULL is allowed; waits for what is being made */

/* Asks for the meshes of a solid; results carry the number. */
bool bone_maker_ask(bone_maker *maker, int number, sinew_solid *solid);
/* Forgets everything that was asked for, such as before a reload. */
void bone_maker_forget(bone_maker *maker);

typedef struct bone_made {
  int number;
  sinew_solid_level level;
  sinew_mesh *mesh; /* the caller's */
} bone_made;

/* Takes a finished mesh; false if there is none. */
bool bone_maker_take(bone_maker *maker, bone_made *dest);
/* Waits until each solid has a mesh to show, or with `all` until nothing is left to make. */
void bone_maker_wait(bone_maker *maker, bool all);
/* How many solids are not fine yet. */
int bone_maker_left(bone_maker *maker);
/* The first failure since the last call; false if there was none. */
bool bone_maker_wrong(bone_maker *maker, sinew_error *dest);

#endif
