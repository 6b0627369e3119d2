/* What a character's file keeps of the rig in `extras`, under "sinew"; the format is in
 * lua/docs/characters.md. */
#include "character/character_edit.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"

enum { version = 1, most_holds = 256 };

static void put_dofs(si_text *out, const sinew_pose *pose) {
  const sinew_rig *rig = sinew_pose_rig(pose);
  sinew_hold holds[most_holds];
  for (int i = 0; i < sinew_rig_dof_count(rig); i++) {
    sinew_dof_info dof = sinew_rig_dof_info(rig, sinew_rig_dof(rig, i));
    const float numbers[] = { dof.min, dof.max, dof.rest,
                              sinew_pose_get(pose, sinew_rig_dof(rig, i)) };
    static const char *const keys[] = { "min", "max", "rest", "value" };
    si_text_add(out, i ? ",{\"name\":" : "{\"name\":");
    si_text_quoted(out, dof.name);
    if (dof.unit) {
      si_text_add(out, ",\"unit\":");
      si_text_quoted(out, dof.unit);
    }
    for (int k = 0; k < 4; k++) {
      si_text_format(out, ",\"%s\":", keys[k]);
      si_text_number(out, numbers[k]);
    }
    si_text_add(out, "}");
  }
  si_text_add(out, "],\"holds\":[");
  const int count = sinew_pose_holds(pose, holds, most_holds);
  for (int i = 0; i < count && i < most_holds; i++) {
    si_text_add(out, i ? ",{\"name\":" : "{\"name\":");
    si_text_quoted(out, holds[i].name);
    si_text_add(out, ",\"port\":");
    si_text_quoted(out, holds[i].port);
    si_text_add(out, ",\"amount\":");
    si_text_number(out, holds[i].amount);
    si_text_add(out, "}");
  }
}

void si_character_put_extras(si_text *out, const sinew_character *c,
                             const sinew_character_write_desc *desc) {
  si_text_format(out, "{\"version\":%d", version);
  if (desc->dofs) {
    si_text_add(out, ",\"rig\":");
    si_text_quoted(out, sinew_rig_name(sinew_pose_rig(desc->dofs)));
    si_text_add(out, ",\"dofs\":[");
    put_dofs(out, desc->dofs);
    si_text_add(out, "]");
  }
  if (desc->limits) {
    si_text_add(out, ",\"joints\":[");
    for (int i = 0; i < desc->limit_count; i++) {
      const sinew_character_limit *l = &desc->limits[i];
      si_text_format(out, "%s{\"node\":%u,\"parent\":%u,\"swing\":", i ? "," : "",
                     c->nodes[l->node].index, c->nodes[l->parent].index);
      si_edit_numbers(out, (float[]){ l->swing_y, l->swing_z }, 2);
      si_text_add(out, ",\"twist\":");
      si_edit_numbers(out, (float[]){ l->twist_min, l->twist_max }, 2);
      si_text_add(out, ",\"frame\":");
      si_edit_numbers(out, l->frame, 16);
      si_text_add(out, ",\"centre\":");
      si_edit_numbers(out, l->centre, 16);
      si_text_add(out, ",\"reached\":");
      si_text_number(out, l->reached);
      si_text_add(out, "}");
    }
    si_text_add(out, "]");
  }
  si_text_add(out, "}");
}

/* the list `key` of the file's extras; NULL: none, or of a later version */
static const si_json_value *stored(const sinew_character *c, const char *key) {
  const si_json *json = &c->reader.json;
  const si_json_value *own =
      si_json_find(json, si_json_find(json, json->values, "extras"), "sinew");
  const si_json_value *number = si_json_find(json, own, "version");
  const si_json_value *list = si_json_find(json, own, key);
  bool known = number && number->kind == SI_JSON_NUMBER && number->number == version;
  return known && list && list->kind == SI_JSON_LIST ? list : NULL;
}

static bool numbers_of(const si_json *json, const si_json_value *object, const char *key,
                       uint32_t count, float *dest) {
  const si_json_value *list = si_json_find(json, object, key);
  if (!list || list->kind != SI_JSON_LIST || list->count != count) return false;
  for (uint32_t i = 0; i < count; i++) {
    const si_json_value *value = si_json_first(list) + i;
    if (value->kind != SI_JSON_NUMBER || !(fabs(value->number) <= (double)SI_GLTF_EXTENT))
      return false;
    dest[i] = (float)value->number;
  }
  return true;
}

static bool number_of(const si_json *json, const si_json_value *object, const char *key,
                      float *dest) {
  const si_json_value *value = si_json_find(json, object, key);
  if (!value || value->kind != SI_JSON_NUMBER || !(fabs(value->number) <= (double)SI_GLTF_EXTENT))
    return false;
  *dest = (float)value->number;
  return true;
}

/* the node with this number in the file; -1: none */
static int node_of(const sinew_character *c, const si_json_value *object, const char *key) {
  const si_json_value *value = si_json_find(&c->reader.json, object, key);
  if (!value || value->kind != SI_JSON_NUMBER || !(value->number >= 0) ||
      value->number >= (double)c->reader.nodes.count || value->number != floor(value->number))
    return -1;
  return (int)c->reader.reached[(size_t)value->number] - 1;
}

int sinew_character_stored_limits(const sinew_character *c, sinew_character_limit *dest,
                                  int capacity) {
  if (!SI_EXPECT(c && (dest || capacity == 0))) return 0;
  const si_json *json = &c->reader.json;
  const si_json_value *list = stored(c, "joints");
  const si_json_value *value = list ? si_json_first(list) : NULL;
  int count = 0;
  for (uint32_t i = 0; list && i < list->count; i++, value = si_json_after(json, value)) {
    sinew_character_limit l = { .node = node_of(c, value, "node"),
                                .parent = node_of(c, value, "parent") };
    float swing[2], twist[2];
    if (l.node < 0 || l.parent < 0 || !numbers_of(json, value, "swing", 2, swing) ||
        !numbers_of(json, value, "twist", 2, twist) ||
        !numbers_of(json, value, "frame", 16, l.frame) ||
        !numbers_of(json, value, "centre", 16, l.centre) ||
        !number_of(json, value, "reached", &l.reached))
      continue;
    l.swing_y = swing[0], l.swing_z = swing[1];
    l.twist_min = twist[0], l.twist_max = twist[1];
    if (count < capacity) dest[count] = l;
    count++;
  }
  return count;
}

int sinew_character_restore(const sinew_character *c, sinew_rig *rig, sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(c && rig)) return si_fail(error, SINEW_ERR_CALL, "character: no rig");
  const si_json *json = &c->reader.json;
  const si_json_value *list = stored(c, "dofs");
  const si_json_value *value = list ? si_json_first(list) : NULL;
  int count = 0;
  for (uint32_t i = 0; list && i < list->count; i++, value = si_json_after(json, value)) {
    const si_json_value *name = si_json_find(json, value, "name");
    char text[256];
    float min, max, rest;
    if (!name || name->kind != SI_JSON_STRING ||
        !si_json_plain(name->text, name->text_length, text, sizeof text) ||
        !number_of(json, value, "min", &min) || !number_of(json, value, "max", &max) ||
        !number_of(json, value, "rest", &rest))
      continue;
    sinew_dof dof = sinew_rig_find_dof(rig, text, NULL);
    if (!dof.id) continue;
    sinew_status status = sinew_rig_set_dof_range(rig, dof, min, max, rest, error);
    if (status < 0) return status;
    count++;
  }
  return count;
}
