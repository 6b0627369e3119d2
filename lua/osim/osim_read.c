/* Converts an OpenSim document to a model: bodies, frames, joints, markers and couplings, in the
 * forms of version 3 (a body holds the joint to its parent) and of version 4 (a set of joints
 * between frames). */
#include "lua/osim/osim_model.h"

#include "base/alloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

sinew_status si_osim_fail(si_osim_model *m, const si_osim_node *node, const char *format, ...) {
  char words[512];
  va_list args;
  va_start(args, format);
  vsnprintf(words, sizeof words, format, args);
  va_end(args);
  return si_fail(m->error, SINEW_ERR_FILE, "%s:%u: %s", m->path, node->line, words);
}

char *si_osim_format(si_osim_model *m, const char *format, ...) {
  char words[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(words, sizeof words, format, args);
  va_end(args);
  return si_arena_text(&m->tree.arena, words, strlen(words));
}

const char *si_osim_unique(si_osim_model *m, si_names *taken, const char *name,
                           const char *otherwise, const char *what) {
  enum { longest = 80 };
  char key[longest + 16];
  const char *from = *name ? name : otherwise;
  size_t length = strlen(from);
  if (length > longest) /* not in the middle of a character */
    for (length = longest; length > 0 && ((unsigned char)from[length] & 0xc0) == 0x80;) length--;
  snprintf(key, sizeof key, "%.*s", (int)length, from);
  for (char *c = key; *c; c++)
    if (*c == '.' || (unsigned char)*c < 32 || *c == 127) *c = '_';
  if (key[0] == ' ') key[0] = '_';
  if (key[length - 1] == ' ') key[length - 1] = '_';
  /* `taken` stores the last number that was appended to a name */
  char stem[sizeof key];
  memcpy(stem, key, sizeof key);
  uint32_t number = si_names_find(taken, stem);
  while (number > 0 && si_names_find(taken, key))
    snprintf(key + length, sizeof key - length, "_%u", ++number);
  if (number > 0) si_names_set(taken, stem, number);
  const char *kept = si_arena_text(&m->tree.arena, key, strlen(key));
  if (!kept || !si_names_add(taken, kept, 1)) return NULL;
  if (strcmp(kept, name) != 0 && *name &&
      si_osim_lose_named(m, "names", "%s '%.100s' is '%s' here", what, name, kept) != SINEW_OK)
    return NULL;
  return kept;
}

/* the list of objects in a set of the model, or NULL */
static si_osim_node *set_objects(si_osim_model *m, const char *set) {
  si_osim_node *node = si_osim_child(m->model, set), *objects = si_osim_child(node, "objects");
  if (node) node->seen = true;
  if (objects) objects->seen = true;
  return objects;
}

/* a mass that a rig cannot have is a loss */
static sinew_status read_mass(si_osim_model *m, si_osim_node *node, si_osim_frame *body) {
  sinew_status status = si_osim_numbers(m, node, "mass", 1, &body->mass);
  if (status == SINEW_OK) status = si_osim_numbers(m, node, "mass_center", 3, body->mass_at);
  if (status != SINEW_OK || body->mass >= 0) return status;
  body->mass = 0;
  return si_osim_lose_named(m, "masses and dynamics", "the mass of '%s', which is negative",
                            node->name);
}

static sinew_status add_body(si_osim_model *m, si_osim_node *node, const char *name,
                             const char *path) {
  if (m->frame_count == SI_OSIM_FRAMES)
    return si_osim_fail(m, node, "there are more than %d bodies", SI_OSIM_FRAMES);
  if (si_names_find(&m->frame_names, name))
    return si_osim_fail(m, node, "there are two bodies called '%.100s'", name);
  si_osim_frame body = { .name = name, .path = path, .node = node, .joint = -1 };
  body.body = (int)m->frame_count;
  body.place = si_osim_identity;
  body.state = SI_OSIM_DONE;
  if (m->frame_count) {
    sinew_status status = read_mass(m, node, &body); /* the ground has none */
    if (status != SINEW_OK) return status;
  }
  if (!path || !si_grow((void **)&m->frames, &m->frame_room, m->frame_count + 1, sizeof body) ||
      !(body.key = si_osim_unique(m, &m->segment_keys, name, "body", "body")) ||
      !si_names_add(&m->frame_names, name, (uint32_t)m->frame_count + 1) ||
      !si_names_add(&m->paths, path, (uint32_t)m->frame_count + 1))
    return si_fail_memory(m->error);
  m->frames[m->frame_count++] = body;
  return SINEW_OK;
}

static sinew_status read_bodies(si_osim_model *m) {
  si_osim_node *ground = si_osim_child(m->model, "Ground"), *objects = set_objects(m, "BodySet");
  if (ground) ground->seen = true;
  sinew_status status = add_body(m, ground ? ground : m->model, "ground", "/ground");
  for (si_osim_node *node = objects ? objects->child : NULL; node && status == SINEW_OK;
       node = node->next) {
    if (!si_osim_is(node, "Body")) continue;
    node->seen = true;
    if (strcmp(node->name, "ground") == 0) /* version 3 lists it */
      m->frames[0].node = node;
    else
      status = add_body(m, node, node->name, si_osim_format(m, "/bodyset/%s", node->name));
  }
  m->body_count = m->frame_count;
  return status;
}

static sinew_status add_joint(si_osim_model *m, si_osim_node *node, const si_osim_joint *from) {
  if (m->joint_count == SI_OSIM_JOINTS)
    return si_osim_fail(m, node, "there are more than %d joints", SI_OSIM_JOINTS);
  si_osim_joint j = *from;
  node->seen = true;
  j.node = node;
  j.kind = node->tag;
  j.key = si_osim_unique(m, &m->joint_keys, j.name, "joint", "joint");
  if (!j.key || !si_grow((void **)&m->joints, &m->joint_room, m->joint_count + 1, sizeof j))
    return si_fail_memory(m->error);
  m->joints[m->joint_count++] = j;
  return SINEW_OK;
}

/* an offset of version 3, by two properties of the joint */
static sinew_status read_offset(si_osim_model *m, si_osim_node *node, const char *location,
                                const char *orientation, si_osim_place *dest) {
  double at[3] = { 0 }, angles[3] = { 0 };
  sinew_status status = si_osim_numbers(m, node, location, 3, at);
  if (status == SINEW_OK) status = si_osim_numbers(m, node, orientation, 3, angles);
  *dest = si_osim_offset(angles, at);
  return status;
}

static sinew_status read_nested_joint(si_osim_model *m, int body) {
  si_osim_node *holder = si_osim_child(m->frames[body].node, "Joint");
  si_osim_node *node = holder ? holder->child : NULL;
  if (holder) holder->seen = true;
  if (!node) return SINEW_OK;
  const si_osim_node *parent = si_osim_property(m, node, "parent_body");
  si_osim_joint j = { .name = node->name, .child = body };
  j.parent = parent ? (int)si_names_find(&m->frame_names, parent->text) - 1 : -1;
  if (j.parent < 0)
    return si_osim_fail(m, parent ? parent : node, "joint '%s': no body named '%.100s'", node->name,
                        parent ? parent->text : "");
  sinew_status status =
      read_offset(m, node, "location_in_parent", "orientation_in_parent", &j.parent_place);
  if (status == SINEW_OK) status = read_offset(m, node, "location", "orientation", &j.child_place);
  if (status == SINEW_OK) status = si_osim_flag(m, node, "reverse", &j.reverse);
  return status == SINEW_OK ? add_joint(m, node, &j) : status;
}

static sinew_status read_end(si_osim_model *m, si_osim_node *node, const char *path,
                             const char *socket, int *body, si_osim_place *place) {
  const char *frame = si_osim_socket(m, node, socket);
  int found = frame ? si_osim_frame_find(m, path, frame) : -1;
  if (found < 0)
    return si_osim_fail(m, node, "joint '%s': its %s '%.200s' is not a frame of the model",
                        node->name, socket, frame ? frame : "");
  *body = m->frames[found].body;
  *place = m->frames[found].place;
  return SINEW_OK;
}

static const char *joint_path(si_osim_model *m, const si_osim_node *node) {
  return si_osim_format(m, "/jointset/%s", node->name);
}

/* reads offset frames, wherever they are in the file */
static sinew_status read_frames(si_osim_model *m) {
  sinew_status status = SINEW_OK;
  for (size_t i = 0; i < m->body_count && status == SINEW_OK; i++) {
    si_osim_node *inner = si_osim_child(m->frames[i].node, "components");
    if (i == 0 && m->frames[0].node == m->model) inner = NULL;
    if (inner) inner->seen = true;
    status = si_osim_frames_add(m, inner, m->frames[i].path, true);
  }
  si_osim_node *joints = si_osim_child(si_osim_child(m->model, "JointSet"), "objects");
  for (si_osim_node *node = joints ? joints->child : NULL; node && status == SINEW_OK;
       node = node->next) {
    si_osim_node *frames = si_osim_child(node, "frames");
    const char *path = joint_path(m, node);
    if (!path) return si_fail_memory(m->error);
    if (frames) frames->seen = true;
    status = si_osim_frames_add(m, frames, path, false);
  }
  si_osim_node *components = si_osim_child(m->model, "components");
  if (components) components->seen = true;
  if (status == SINEW_OK) status = si_osim_frames_add(m, components, "", true);
  if (status == SINEW_OK)
    status = si_osim_frames_add(m, set_objects(m, "ComponentSet"), "/componentset", true);
  if (status == SINEW_OK) status = si_osim_frames_place(m);
  for (size_t i = m->body_count; i < m->frame_count && status == SINEW_OK; i++) {
    si_osim_frame *f = &m->frames[i];
    if (!f->own) continue;
    f->key = si_osim_unique(m, &m->segment_keys, f->name, "frame", "frame");
    if (!f->key) status = si_fail_memory(m->error);
  }
  return status;
}

static sinew_status read_joints(si_osim_model *m) {
  sinew_status status = SINEW_OK;
  for (size_t i = 0; i < m->body_count && status == SINEW_OK; i++)
    status = read_nested_joint(m, (int)i);
  si_osim_node *joints = set_objects(m, "JointSet");
  for (si_osim_node *node = joints ? joints->child : NULL; node && status == SINEW_OK;
       node = node->next) {
    const char *path = joint_path(m, node);
    if (!path) return si_fail_memory(m->error);
    si_osim_joint j = { .name = node->name };
    status = read_end(m, node, path, "parent_frame", &j.parent, &j.parent_place);
    if (status == SINEW_OK)
      status = read_end(m, node, path, "child_frame", &j.child, &j.child_place);
    if (status == SINEW_OK) status = add_joint(m, node, &j);
  }
  for (size_t i = 0; i < m->joint_count && status == SINEW_OK; i++)
    status = si_osim_joint_coordinates(m, (int)i);
  for (size_t i = 0; i < m->joint_count && status == SINEW_OK; i++)
    status = si_osim_joint_factors(m, (int)i);
  return status;
}

static sinew_status read_coupler(si_osim_model *m, si_osim_node *node) {
  static const char *const none[] = { NULL };
  bool enforced = true, disabled = false;
  sinew_status status = si_osim_flag(m, node, "isEnforced", &enforced);
  if (status == SINEW_OK) status = si_osim_flag(m, node, "isDisabled", &disabled);
  if (status != SINEW_OK || !enforced || disabled) return status;
  node->seen = true;
  const si_osim_node *from = si_osim_property(m, node, "independent_coordinate_names");
  const si_osim_node *to = si_osim_property(m, node, "dependent_coordinate_name");
  si_osim_node *function = si_osim_property(m, node, "coupled_coordinates_function");
  if (!from || !to || !*to->text)
    return si_osim_fail(m, node, "constraint '%s' does not say which coordinates it couples",
                        node->name);
  si_osim_value value = { .scale = 1 }, dependent = { 0 };
  status = si_osim_arguments(m, from, -1, &value);
  if (status == SINEW_OK) status = si_osim_arguments(m, to, -1, &dependent);
  if (status == SINEW_OK) status = si_osim_numbers(m, node, "scale_factor", 1, &value.scale);
  if (status != SINEW_OK) return status;
  if (dependent.count != 1)
    return si_osim_fail(m, to, "constraint '%s' has %d dependent coordinates", node->name,
                        dependent.count);
  const char *what = si_osim_format(m, "constraint '%.80s'", node->name);
  function = si_osim_object(function, none);
  if (!what) return si_fail_memory(m->error);
  if (!function || value.count == 0)
    return si_osim_fail(m, node, "%s has no function or no coordinates", what);
  status = si_osim_function_read(m, function, what, &value);
  si_osim_coordinate *c = &m->coordinates[dependent.coordinates[0]];
  if (c->coupled && status == SINEW_OK)
    return si_osim_lose_named(m, "constraints", "'%s', a second coupling of '%s'", node->name,
                              c->name);
  c->coupled = true;
  c->coupling = value;
  return status;
}

/* calls `read` for every object of a set that has the tag */
static sinew_status read_set(si_osim_model *m, const char *set, const char *tag,
                             sinew_status (*read)(si_osim_model *m, si_osim_node *node)) {
  si_osim_node *objects = set_objects(m, set);
  sinew_status status = SINEW_OK;
  for (si_osim_node *node = objects ? objects->child : NULL; node && status == SINEW_OK;
       node = node->next)
    if (si_osim_is(node, tag)) status = read(m, node);
  return status;
}

static sinew_status read_constraints(si_osim_model *m) {
  return read_set(m, "ConstraintSet", "CoordinateCouplerConstraint", read_coupler);
}

static sinew_status read_marker(si_osim_model *m, si_osim_node *node) {
  if (m->marker_count == SI_OSIM_MARKERS)
    return si_osim_fail(m, node, "more than %d markers", SI_OSIM_MARKERS);
  const si_osim_node *body = si_osim_property(m, node, "body"); /* version 3 */
  const char *frame = body ? body->text : si_osim_socket(m, node, "parent_frame");
  int found = frame ? si_osim_frame_find(m, "/markerset", frame) : -1;
  if (found < 0)
    return si_osim_fail(m, node, "marker '%s': no body or frame named '%.200s'", node->name,
                        frame ? frame : "");
  double at[3] = { 0 };
  sinew_status status = si_osim_numbers(m, node, "location", 3, at);
  if (status != SINEW_OK) return status;
  si_osim_marker marker = { .name = node->name, .body = m->frames[found].body };
  const si_osim_place *place = &m->frames[found].place;
  for (int i = 0; i < 3; i++)
    marker.at[i] = place->r[3 * i] * at[0] + place->r[3 * i + 1] * at[1] +
                   place->r[3 * i + 2] * at[2] + place->p[i];
  marker.key = si_osim_unique(m, &m->marker_keys, node->name, "marker", "marker");
  if (!marker.key ||
      !si_grow((void **)&m->markers, &m->marker_room, m->marker_count + 1, sizeof marker))
    return si_fail_memory(m->error);
  node->seen = true;
  m->markers[m->marker_count++] = marker;
  return SINEW_OK;
}

static sinew_status read_markers(si_osim_model *m) {
  return read_set(m, "MarkerSet", "Marker", read_marker);
}

static sinew_status read_document(si_osim_model *m) {
  si_osim_node *root = m->tree.root;
  if (!si_osim_is(root, "OpenSimDocument"))
    return si_osim_fail(m, root, "not an OpenSim model: its root is <%.40s>", root->tag);
  m->model = si_osim_child(root, "Model");
  if (!m->model) return si_osim_fail(m, root, "not an OpenSim model: no <Model> element");
  m->version = strtol(m->tree.version, NULL, 10);
  if (m->version < 20000)
    return si_osim_fail(m, root, "version '%.20s' is too old: save the model with OpenSim 3 or 4",
                        m->tree.version);
  root->seen = m->model->seen = true;
  m->name = *m->model->name ? m->model->name : "model";
  m->defaults = si_osim_child(m->model, "defaults");
  if (!m->defaults) m->defaults = si_osim_child(root, "defaults");
  const si_osim_node *units = si_osim_property(m, m->model, "length_units");
  if (units && *units->text && strcmp(units->text, "meters") != 0)
    return si_osim_fail(m, units, "unsupported length unit '%.40s': only meters", units->text);
  const si_osim_node *credits = si_osim_property(m, m->model, "credits");
  const si_osim_node *publications = si_osim_property(m, m->model, "publications");
  m->credits = credits ? credits->text : "";
  m->publications = publications ? publications->text : "";
  return SINEW_OK;
}

sinew_status si_osim_model_read(si_osim_model *m, const char *path, const void *bytes, size_t size,
                                sinew_error *error) {
  static sinew_status (*const steps[])(
      si_osim_model *) = { read_document,    read_bodies,  read_frames,   read_joints,
                           read_constraints, read_markers, si_osim_order, si_osim_lose_rest };
  *m = (si_osim_model){ .path = path, .error = error };
  sinew_status status = si_osim_tree_read(&m->tree, path, bytes, size, error);
  for (size_t i = 0; i < sizeof steps / sizeof *steps && status == SINEW_OK; i++)
    status = steps[i](m);
  return status;
}

void si_osim_model_free(si_osim_model *m) {
  si_osim_tree_free(&m->tree);
  si_names *const tables[] = { &m->paths,        &m->frame_names, &m->coordinate_names,
                               &m->segment_keys, &m->joint_keys,  &m->coordinate_keys,
                               &m->marker_keys };
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) si_names_free(tables[i]);
  si_free(m->frames);
  si_free(m->joints);
  si_free(m->coordinates);
  si_free(m->markers);
  si_free(m->losses);
  si_free(m->body_order);
  si_free(m->coordinate_order);
  *m = (si_osim_model){ 0 };
}
