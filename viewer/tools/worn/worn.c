/* A character over the bones: the skinned file that the rig's binding names follows the pose. */
#include "tools/worn/worn.h"
#include "draw/character_draw.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct character {
  sinew_character *bound;
  character_draw *drawn;
  float *worlds; /* of the segments, as they are drawn */
  bool stale, crowd;
} character;

static void drop(character *c) {
  character_draw_destroy(c->drawn);
  sinew_character_destroy(c->bound);
  free(c->worlds);
  *c = (character){ 0 };
}

static size_t world_bytes(const state *st) {
  return 16 * (size_t)sinew_rig_segment_count(state_rig(st)) * sizeof(float);
}

bool character_worn(const state *st) {
  const character *c = tool_state(st, "character");
  return c->drawn && tool_is_open(st, "character");
}

static void frame(state *st, void *self) {
  character *c = self;
  static const float here[3] = { 0, 0, 0 };
  st->worn = character_worn(st);
  if (!st->worn) return;
  const float *now = sinew_pose_worlds(state_pose(st));
  if (!c->stale && memcmp(c->worlds, now, world_bytes(st)) == 0) return;
  memcpy(c->worlds, now, world_bytes(st));
  c->stale = false;
  character_draw_pose(c->drawn, 0, now, here);
  character_draw_changed(c->drawn);
  st->worn_box = character_draw_bounds(c->drawn);
}

static void loaded(state *st, void *self) {
  character *c = self;
  const bool first = !c->bound, was_open = tool_is_open(st, "character");
  sinew_error error = { 0 };
  drop(c);
  st->worn = false;
  if (!sinew_rig_binding(state_rig(st))) return;
  c->bound = sinew_character_of_rig(state_rig(st), sinew_host_path(st->host), &error);
  if (c->bound) c->drawn = character_draw_create(c->bound, &error);
  c->worlds = c->drawn ? calloc(1, world_bytes(st)) : NULL;
  if (!c->worlds) {
    drop(c);
    state_wrong(st, *error.text ? error.text : "out of memory");
    return;
  }
  c->stale = true;
  if (*character_draw_note(c->drawn)) {
    fprintf(stderr, "sinew-viewer: %s\n", character_draw_note(c->drawn));
    state_say(st, "%s", character_draw_note(c->drawn));
  }
  tool_set_open(st, "character", first || was_open);
  frame(st, self);
}

void character_take_crowd(state *st, const float *worlds, const float *positions, int count) {
  character *c = tool_state(st, "character");
  if (!c->drawn) return;
  if (!character_draw_room(c->drawn, count)) {
    state_wrong(st, "out of memory for the crowd's characters");
    return;
  }
  const size_t each = 16 * (size_t)sinew_rig_segment_count(state_rig(st));
  for (int i = 0; i < count; i++)
    character_draw_pose(c->drawn, i, worlds + (size_t)i * each, positions + 4 * i);
  character_draw_changed(c->drawn);
  c->crowd = true;
}

static void solid(state *st, void *self) {
  character *c = self;
  frame(st, self);
  if (c->drawn) character_draw_scene(c->drawn, st->scene, false);
}

static void glass(state *st, void *self) {
  character *c = self;
  if (c->drawn) character_draw_scene(c->drawn, st->scene, true);
}

static void cast(state *st, void *self) {
  character *c = self;
  frame(st, self);
  if (c->drawn) character_draw_cast(c->drawn, st->scene);
}

static void destroy(void *self) { drop(self); }

static bool remote(state *st, void *self, const char *verb, char *rest) {
  character *c = self;
  (void)rest;
  if (strcmp(verb, "character") != 0) return false;
  if (!c->drawn) return tool_answer(false, "the rig is bound to no character; see `sinew bind`");
  printf("ok %d vertices in %d parts, %s\n", character_draw_vertices(c->drawn),
         sinew_character_part_count(c->bound), character_worn(st) ? "shown" : "hidden");
  return true;
}

const tool tool_character = { .name = "character",
                              .title = "Character or bones",
                              .doc = "the character that `sinew bind` bound, or the rig's bones",
                              .key = KEY_H,
                              .size = sizeof(character),
                              .destroy = destroy,
                              .loaded = loaded,
                              .frame = frame,
                              .solid = solid,
                              .glass = glass,
                              .cast = cast,
                              .remote = remote,
                              .remote_help = "character" };
