/* What a character's file keeps of the rig in `extras`, under "sinew"; the format is in
 * lua/docs/characters.md. */
#include "character/character_edit.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/alloc.h"

enum { version = 1 };

static void put_dofs(si_text *out, const sinew_pose *pose) {
  const sinew_rig *rig = sinew_pose_rig(pose);
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
  const int count = sinew_pose_holds(pose, NULL, 0);
  sinew_hold *holds = si_alloc_array((size_t)count + 1, sizeof *holds);
  out->failed = out->failed || !holds;
  for (int i = 0; holds && i < sinew_pose_holds(pose, holds, count); i++) {
    si_text_add(out, i ? ",{\"name\":" : "{\"name\":");
    si_text_quoted(out, holds[i].name);
    si_text_add(out, ",\"port\":");
    si_text_quoted(out, holds[i].port);
    si_text_add(out, ",\"amount\":");
    si_text_number(out, holds[i].amount);
    si_text_add(out, "}");
  }
  si_free(holds);
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

/* --- reading */

static bool numbers_of(const si_json *json, const si_json_value *object, const char *key,
                       uint32_t count, float *dest) {
  const si_json_value *list = si_json_find(json, object, key);
  if (!list || list->kind != SI_JSON_LIST || list->count != count) return false;
  for (uint32_t i = 0; i < count; i++) {
    const si_json_value *value = si_json_first(list) + i;
    if (value->kind != SI_JSON_NUMBER || !(fabs(value->number) <= (double)FLT_MAX)) return false;
    dest[i] = (float)value->number;
  }
  return true;
}

static bool number_of(const si_json *json, const si_json_value *object, const char *key,
                      float *dest) {
  const si_json_value *value = si_json_find(json, object, key);
  if (!value || value->kind != SI_JSON_NUMBER || !(fabs(value->number) <= (double)FLT_MAX))
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

/* a member that must be there and not empty; NULL if it is not, or when memory runs out */
static const char *name_of(sinew_character *c, const si_json_value *object, const char *key) {
  const char *text = si_character_text(c, si_json_find(&c->reader.json, object, key));
  return text && *text ? text : NULL;
}

static bool read_dof(sinew_character *c, const si_json_value *value, void *dest) {
  const si_json *json = &c->reader.json;
  sinew_character_dof *d = dest;
  d->name = name_of(c, value, "name");
  d->unit = name_of(c, value, "unit");
  return d->name && number_of(json, value, "min", &d->min) &&
         number_of(json, value, "max", &d->max) && number_of(json, value, "rest", &d->rest) &&
         number_of(json, value, "value", &d->value);
}

static bool read_hold(sinew_character *c, const si_json_value *value, void *dest) {
  sinew_hold *h = dest;
  h->name = name_of(c, value, "name");
  h->port = si_character_text(c, si_json_find(&c->reader.json, value, "port"));
  h->doc = "";
  return h->name && h->port && number_of(&c->reader.json, value, "amount", &h->amount);
}

static bool read_limit(sinew_character *c, const si_json_value *value, void *dest) {
  const si_json *json = &c->reader.json;
  sinew_character_limit *l = dest;
  float swing[2], twist[2];
  l->node = node_of(c, value, "node");
  l->parent = node_of(c, value, "parent");
  if (l->node < 0 || l->parent < 0 || !numbers_of(json, value, "swing", 2, swing) ||
      !numbers_of(json, value, "twist", 2, twist) ||
      !numbers_of(json, value, "frame", 16, l->frame) ||
      !numbers_of(json, value, "centre", 16, l->centre) ||
      !number_of(json, value, "reached", &l->reached))
    return false;
  l->swing_y = swing[0], l->swing_z = swing[1];
  l->twist_min = twist[0], l->twist_max = twist[1];
  return true;
}

/* the items of a list into an array of the arena; what cannot be read is left out with a warning */
static sinew_status read_list(sinew_character *c, const si_json_value *own, const char *key,
                              size_t size,
                              bool (*read)(sinew_character *, const si_json_value *, void *),
                              void *array, int *count) {
  const si_json *json = &c->reader.json;
  const si_json_value *list = si_json_find(json, own, key);
  if (!list || list->kind != SI_JSON_LIST) return SINEW_OK;
  unsigned char *items = si_arena_take(&c->arena, ((size_t)list->count + 1) * size);
  if (!items) return si_fail_memory(c->reader.error);
  memcpy(array, &items, sizeof items);
  const si_json_value *value = si_json_first(list);
  for (uint32_t i = 0; i < list->count; i++, value = si_json_after(json, value))
    *count += read(c, value, items + (size_t)*count * size);
  if ((uint32_t)*count < list->count)
    si_character_warn(c, "%u of the '%s' in its extras cannot be read",
                      list->count - (uint32_t)*count, key);
  return SINEW_OK;
}

sinew_status si_character_read_extras(sinew_character *c) {
  const si_json *json = &c->reader.json;
  const si_json_value *own =
      si_json_find(json, si_json_find(json, json->values, "extras"), "sinew");
  const si_json_value *number = si_json_find(json, own, "version");
  if (!own) return SINEW_OK;
  if (!number || number->kind != SI_JSON_NUMBER || number->number != version) {
    si_character_warn(c, "its extras are of a version of Sinew that is not known");
    return SINEW_OK;
  }
  sinew_status status;
  if ((status = read_list(c, own, "dofs", sizeof *c->dofs, read_dof, &c->dofs, &c->dof_count)) <
          0 ||
      (status =
           read_list(c, own, "holds", sizeof *c->holds, read_hold, &c->holds, &c->hold_count)) < 0)
    return status;
  return read_list(c, own, "joints", sizeof *c->limits, read_limit, &c->limits, &c->limit_count);
}

/* copies what there is room for; returns how many there are */
static int give(const void *items, int count, size_t size, void *dest, int capacity) {
  const int room = count < capacity ? count : capacity;
  if (room > 0) memcpy(dest, items, (size_t)room * size);
  return count;
}

int sinew_character_stored_limits(const sinew_character *c, sinew_character_limit *dest,
                                  int capacity) {
  if (!SI_EXPECT(c && (dest || capacity == 0))) return 0;
  return give(c->limits, c->limit_count, sizeof *dest, dest, capacity);
}

int sinew_character_stored_dofs(const sinew_character *c, sinew_character_dof *dest, int capacity) {
  if (!SI_EXPECT(c && (dest || capacity == 0))) return 0;
  return give(c->dofs, c->dof_count, sizeof *dest, dest, capacity);
}

int sinew_character_stored_holds(const sinew_character *c, sinew_hold *dest, int capacity) {
  if (!SI_EXPECT(c && (dest || capacity == 0))) return 0;
  return give(c->holds, c->hold_count, sizeof *dest, dest, capacity);
}

int sinew_character_restore(const sinew_character *c, sinew_rig *rig, sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(c && rig)) return si_fail(error, SINEW_ERR_CALL, "character: no rig");
  int count = 0;
  for (int i = 0; i < c->dof_count; i++) {
    const sinew_character_dof *d = &c->dofs[i];
    sinew_dof dof = sinew_rig_find_dof(rig, d->name, NULL);
    if (!dof.id) continue;
    sinew_status status = sinew_rig_set_dof_range(rig, dof, d->min, d->max, d->rest, error);
    if (status < 0) return status;
    count++;
  }
  return count;
}
