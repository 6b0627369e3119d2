/* Resolves the names of a map to ids of a motion and a rig. */
#include "sinew/fit_map.h"

#include "base/alloc.h"
#include "base/error_internal.h"

#include <string.h>

void sinew_fit_parts_destroy(sinew_fit_parts *p) {
  if (!p) return;
  si_free(p->parts);
  si_free(p->links);
  si_free(p->dofs);
  si_free(p);
}

static void find_parts(sinew_fit_parts *p, const sinew_map *map, const sinew_rig *rig,
                       const sinew_motion *motion, sinew_error *missing, sinew_error *error) {
  sinew_error why, first;
  sinew_error_clear(&first);
  for (int i = 0; i < map->point_count; i++) {
    const sinew_map_point *point = &map->points[i];
    sinew_fit_part *part = &p->parts[p->part_count];
    *part = (sinew_fit_part){ .weight = point->weight };
    memcpy(part->point, point->point, sizeof part->point);
    part->segment = sinew_rig_find_segment(rig, point->segment, &why);
    if (!part->segment.id) si_add(error, why.status, "point '%s': %s", point->source, why.text);
    part->source = sinew_motion_find(motion, point->source, &why);
    if (part->source >= 0) {
      p->part_count++;
      continue;
    }
    if (!first.status) first = why;
    if (missing) si_add(missing, why.status, "%s", why.text);
  }
  if (!p->part_count)
    si_add(error, SINEW_ERR_NAME, "the motion has none of the map's points%s%s",
           first.status ? ": " : "", first.text);
}

/* the part of a source, or -1 */
static int part_of(const sinew_fit_parts *p, const sinew_motion *motion, const char *source) {
  int found = sinew_motion_find(motion, source, NULL);
  for (int i = 0; i < p->part_count && found >= 0; i++)
    if (p->parts[i].source == found) return i;
  return -1;
}

static bool is_still(const sinew_map *map, const char *dof) {
  for (int i = 0; i < map->still_count; i++) {
    size_t length = strlen(map->still[i]);
    if (strncmp(dof, map->still[i], length) == 0 && (dof[length] == '\0' || dof[length] == '.'))
      return true;
  }
  return false;
}

/* every entry of `still` must be a DOF or a joint set with DOFs */
static void check_still(const sinew_map *map, const sinew_rig *rig, sinew_error *error) {
  for (int i = 0; i < map->still_count; i++) {
    sinew_map one = { .still = map->still + i, .still_count = 1 };
    bool found = false;
    for (int d = 0; d < sinew_rig_dof_count(rig) && !found; d++)
      found = is_still(&one, sinew_rig_dof_info(rig, sinew_rig_dof(rig, d)).name);
    if (!found) si_add(error, SINEW_ERR_NAME, "still: no DOF or joint set '%s'", map->still[i]);
  }
}

/* all DOFs that move a part, as a solver finds them, except those in `still` */
static void find_dofs(sinew_fit_parts *p, const sinew_map *map, const sinew_rig *rig,
                      const sinew_motion *motion, sinew_error *error) {
  sinew_fit_desc desc = sinew_default_fit_desc();
  desc.parts = p->parts;
  desc.part_count = p->part_count;
  sinew_fit *all = sinew_fit_create(rig, motion, &desc, error);
  for (int i = 0; all && i < sinew_fit_dof_count(all); i++) {
    sinew_dof dof = sinew_fit_dof(all, i);
    if (!is_still(map, sinew_rig_dof_info(rig, dof).name)) p->dofs[p->dof_count++] = dof;
  }
  if (all && !p->dof_count)
    si_fail(error, SINEW_ERR_VALUE, "'still' includes every DOF that moves a point of the map");
  sinew_fit_destroy(all);
}

sinew_fit_parts *sinew_fit_map_apply(const sinew_fit_map *self, const sinew_rig *rig,
                                     const sinew_motion *motion, sinew_error *missing,
                                     sinew_error *error) {
  const sinew_map *map = sinew_fit_map_read(self);
  SI_OWN_ERROR(error);
  if (missing) sinew_error_clear(missing);
  sinew_fit_parts *p = si_alloc(sizeof *p);
  if (!p) {
    si_fail_memory(error);
    return NULL;
  }
  *p = (sinew_fit_parts){ 0 };
  p->parts = si_alloc_array((size_t)map->point_count + 1, sizeof *p->parts);
  p->links = si_alloc_array((size_t)map->link_count + 1, sizeof *p->links);
  p->dofs = si_alloc_array((size_t)sinew_rig_dof_count(rig) + 1, sizeof *p->dofs);
  if (!p->parts || !p->links || !p->dofs) {
    si_fail_memory(error);
  } else {
    find_parts(p, map, rig, motion, missing, error);
    check_still(map, rig, error);
    for (int i = 0; i < map->link_count && !error->count; i++) {
      sinew_fit_link link = { part_of(p, motion, map->links[i].from),
                              part_of(p, motion, map->links[i].to) };
      if (link.from >= 0 && link.to >= 0) p->links[p->link_count++] = link;
    }
    if (!error->count) find_dofs(p, map, rig, motion, error);
  }
  if (!error->count) return p;
  sinew_fit_parts_destroy(p);
  return NULL;
}
