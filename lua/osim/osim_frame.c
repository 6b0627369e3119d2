/* Rigid transforms in an OpenSim model, and frames that are fixed to bodies, found by their
 * paths. */
#include "lua/osim/osim_model.h"

#include "base/alloc.h"

#include <math.h>
#include <stdio.h>

const si_osim_place si_osim_identity = { .r = { 1, 0, 0, 0, 1, 0, 0, 0, 1 } };

si_osim_place si_osim_mul(const si_osim_place *a, const si_osim_place *b) {
  si_osim_place c;
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++)
      c.r[3 * i + k] =
          a->r[3 * i] * b->r[k] + a->r[3 * i + 1] * b->r[3 + k] + a->r[3 * i + 2] * b->r[6 + k];
    c.p[i] =
        a->r[3 * i] * b->p[0] + a->r[3 * i + 1] * b->p[1] + a->r[3 * i + 2] * b->p[2] + a->p[i];
  }
  return c;
}

si_osim_place si_osim_inverse(const si_osim_place *a) {
  si_osim_place b;
  for (int i = 0; i < 3; i++) {
    for (int k = 0; k < 3; k++) b.r[3 * i + k] = a->r[3 * k + i];
    b.p[i] = -(a->r[i] * a->p[0] + a->r[3 + i] * a->p[1] + a->r[6 + i] * a->p[2]);
  }
  return b;
}

bool si_osim_is_identity(const si_osim_place *a) {
  for (int i = 0; i < 9; i++)
    if (fabs(a->r[i] - si_osim_identity.r[i]) > 1e-12) return false;
  return fabs(a->p[0]) < 1e-12 && fabs(a->p[1]) < 1e-12 && fabs(a->p[2]) < 1e-12;
}

si_osim_place si_osim_offset(const double angles[3], const double at[3]) {
  double s[3], c[3];
  for (int i = 0; i < 3; i++) {
    s[i] = sin(angles[i]);
    c[i] = cos(angles[i]);
  }
  return (si_osim_place){
    .r = { c[1] * c[2], -c[1] * s[2], s[1], c[0] * s[2] + s[0] * s[1] * c[2],
           c[0] * c[2] - s[0] * s[1] * s[2], -s[0] * c[1], s[0] * s[2] - c[0] * s[1] * c[2],
           s[0] * c[2] + c[0] * s[1] * s[2], c[0] * c[1] },
    .p = { at[0], at[1], at[2] },
  };
}

const char *si_osim_socket(si_osim_model *m, si_osim_node *object, const char *name) {
  static const char *const ends[3][2] = { { "socket", "" },
                                          { "socket", "_connectee_name" },
                                          { "connector", "_connectee_name" } };
  char tag[96];
  for (int i = 0; i < 3; i++) {
    snprintf(tag, sizeof tag, "%s_%s%s", ends[i][0], name, ends[i][1]);
    const si_osim_node *node = si_osim_property(m, object, tag);
    if (node && *node->text) return node->text;
  }
  return NULL;
}

sinew_status si_osim_frames_add(si_osim_model *m, const si_osim_node *list, const char *owner,
                                bool own) {
  for (si_osim_node *node = list ? list->child : NULL; node; node = node->next) {
    if (!si_osim_is(node, "PhysicalOffsetFrame")) continue;
    if (m->frame_count == SI_OSIM_FRAMES)
      return si_osim_fail(m, node, "there are more than %d frames", SI_OSIM_FRAMES);
    double at[3] = { 0 }, angles[3] = { 0 };
    sinew_status status = si_osim_numbers(m, node, "translation", 3, at);
    if (status == SINEW_OK) status = si_osim_numbers(m, node, "orientation", 3, angles);
    if (status != SINEW_OK) return status;
    node->seen = true;
    si_osim_frame f = { .name = node->name, .node = node, .own = own, .joint = -1 };
    f.place = si_osim_offset(angles, at);
    f.parent = si_osim_socket(m, node, "parent");
    if (!f.parent) return si_osim_fail(m, node, "frame '%s' has no parent", node->name);
    f.path = si_osim_format(m, "%s/%s", owner, node->name);
    if (!f.path || !si_grow((void **)&m->frames, &m->frame_room, m->frame_count + 1, sizeof f) ||
        !si_names_add(&m->paths, f.path, (uint32_t)m->frame_count + 1) ||
        !si_names_add(&m->frame_names, f.name, (uint32_t)m->frame_count + 1))
      return si_fail_memory(m->error);
    m->frames[m->frame_count++] = f;
    si_osim_node *inner = si_osim_child(node, "components");
    if (inner) inner->seen = true;
    if ((status = si_osim_frames_add(m, inner, f.path, own)) != SINEW_OK) return status;
  }
  return SINEW_OK;
}

/* resolves a path relative to its owner's path, including ..; false if it is too long */
static bool join(const char *owner, const char *path, char *dest, size_t room) {
  size_t used = strlen(owner);
  if (used + strlen(path) + 2 > room) return false;
  memcpy(dest, owner, used + 1);
  while (*path) {
    size_t length = strcspn(path, "/");
    if (length == 2 && memcmp(path, "..", 2) == 0) {
      while (used > 0 && dest[used - 1] != '/') used--;
      if (used > 0) used--;
    } else if (length > 0 && !(length == 1 && *path == '.')) {
      dest[used++] = '/';
      memcpy(dest + used, path, length);
      used += length;
    }
    dest[used] = '\0';
    path += length + (path[length] == '/');
  }
  return true;
}

int si_osim_frame_find(const si_osim_model *m, const char *owner, const char *path) {
  char full[1024];
  if (join(path[0] == '/' ? "" : owner, path, full, sizeof full)) {
    uint32_t found = si_names_find(&m->paths, full);
    if (found) return (int)found - 1;
  }
  /* older files give names, or paths relative to another object: use the last word */
  const char *slash = strrchr(path, '/');
  uint32_t named = si_names_find(&m->frame_names, path);
  return named ? (int)named - 1 : (int)si_names_find(&m->frame_names, slash ? slash + 1 : path) - 1;
}

/* follows a frame to its body; parents may be offset frames themselves */
static sinew_status place_frame(si_osim_model *m, size_t index, int depth) {
  si_osim_frame *f = &m->frames[index];
  if (f->state == SI_OSIM_DONE) return SINEW_OK;
  if (f->state == SI_OSIM_BUSY || depth > SI_OSIM_FRAME_DEPTH)
    return si_osim_fail(m, f->node, "frame '%s' is its own parent, or %d frames deep", f->name,
                        SI_OSIM_FRAME_DEPTH);
  f->state = SI_OSIM_BUSY;
  int parent = si_osim_frame_find(m, f->path, f->parent);
  if (parent < 0 || parent == (int)index)
    return si_osim_fail(m, f->node, "frame '%s': no frame or body named '%.200s'", f->name,
                        f->parent);
  sinew_status status = place_frame(m, (size_t)parent, depth + 1);
  if (status != SINEW_OK) return status;
  f->place = si_osim_mul(&m->frames[parent].place, &f->place);
  f->body = m->frames[parent].body;
  f->state = SI_OSIM_DONE;
  return SINEW_OK;
}

sinew_status si_osim_frames_place(si_osim_model *m) {
  for (size_t i = 0; i < m->frame_count; i++) {
    sinew_status status = place_frame(m, i, 0);
    if (status != SINEW_OK) return status;
  }
  return SINEW_OK;
}
