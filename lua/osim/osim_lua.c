/* Writes a model as Lua source: header, coordinates, bodies, markers. */
#include "lua/osim/osim_write.h"

#include "base/alloc.h"

#include <stdio.h>

static bool is_driven(const si_osim_model *m, size_t joint) {
  return m->joints[joint].factor_count > 0;
}

static void put_range(si_osim_writer *w, const si_osim_coordinate *c) {
  const double unit = si_osim_unit(c->rotational);
  si_text_add(&w->text, "{ min = ");
  si_osim_put_number(w, unit * c->min);
  si_text_add(&w->text, ", max = ");
  si_osim_put_number(w, unit * c->max);
  if (c->rest != 0) {
    si_text_add(&w->text, ", rest = ");
    si_osim_put_number(w, unit * c->rest);
  }
  si_text_add(&w->text, c->rotational ? " }" : ", unit = \"m\" }");
}

static void put_coupled(si_osim_writer *w, const si_osim_coordinate *c) {
  const si_osim_value *v = &c->coupling;
  const char *joint = w->m->joints[c->joint].key;
  if (v->count > 1) {
    si_text_add(&w->text, "do\n");
    si_osim_put_sum(w, v, c->rotational, joint, "sum");
    si_text_add(&w->text, "  ");
  }
  si_print_field(&w->text, "coordinate", c->key);
  si_text_add(&w->text, " = ");
  if (v->count > 1) {
    si_text_add(&w->text, "sum -- coupled\nend\n");
  } else if (si_osim_is_constant(v)) {
    si_osim_put_number(w, v->constant * si_osim_unit(c->rotational));
    si_text_add(&w->text, " -- coupled\n");
  } else if (si_osim_is_plain(w->m, v, c->rotational)) {
    si_print_field(&w->text, "coordinate", w->m->coordinates[v->coordinates[0]].key);
    si_text_add(&w->text, " -- coupled\n");
  } else {
    si_print_field(&w->text, "joint", joint);
    si_text_add(&w->text, ":map { ");
    si_print_field(&w->text, "coordinate", w->m->coordinates[v->coordinates[0]].key);
    si_text_add(&w->text, ", value = ");
    si_osim_put_curve(w, v, c->rotational, 2);
    si_text_add(&w->text, " }.value -- coupled\n");
  }
}

static void put_coordinates(si_osim_writer *w) {
  const si_osim_model *m = w->m;
  for (size_t i = 0; i < m->joint_count; i++) {
    if (!is_driven(m, i) && m->joints[i].coordinate_count == 0) continue;
    si_print_field(&w->text, "joint", m->joints[i].key);
    si_text_add(&w->text, " = rig:joint_set ");
    si_print_string(&w->text, m->joints[i].key);
    si_text_add(&w->text, "\n");
  }
  if (m->coordinate_count) si_text_add(&w->text, "\n");
  for (size_t i = 0; i < m->coordinate_count; i++) {
    const si_osim_coordinate *c = &m->coordinates[m->coordinate_order[i]];
    if (c->coupled) {
      put_coupled(w, c);
      continue;
    }
    if (c->locked) {
      const double unit = si_osim_unit(c->rotational);
      si_text_add(&w->text, "-- locked; its range is ");
      si_osim_put_number(w, unit * c->free_min);
      si_text_add(&w->text, " to ");
      si_osim_put_number(w, unit * c->free_max);
      si_text_add(&w->text, "\n");
    }
    si_print_field(&w->text, "coordinate", c->key);
    si_text_add(&w->text, " = ");
    si_print_field(&w->text, "joint", m->joints[c->joint].key);
    si_text_add(&w->text, ":dof(");
    si_print_string(&w->text, c->key);
    si_text_add(&w->text, si_osim_column(w) > 70 ? ",\n  " : ", ");
    put_range(w, c);
    si_text_add(&w->text, ")\n");
  }
}

/* the names of the first few mesh files of a body */
static void find_meshes(const si_osim_node *node, char *dest, size_t room) {
  for (const si_osim_node *child = node->child; child; child = child->next) {
    size_t used = strlen(dest);
    if ((si_osim_is(child, "mesh_file") || si_osim_is(child, "geometry_file")) && *child->text &&
        used + strlen(child->text) + 3 < room)
      snprintf(dest + used, room - used, "%s%s", used ? ", " : "", child->text);
    find_meshes(child, dest, room);
  }
}

static void put_body(si_osim_writer *w, const si_osim_frame *body) {
  const si_osim_model *m = w->m;
  char meshes[256] = "", lead[200];
  find_meshes(body->node, meshes, sizeof meshes);
  si_text_add(&w->text, "\n");
  if (body->joint >= 0) {
    const si_osim_joint *j = &m->joints[body->joint];
    snprintf(lead, sizeof lead, "%.80s (%.60s)%s", j->key, j->kind, *meshes ? ", drawn with" : "");
    si_osim_put_comment(w, lead, meshes);
    si_osim_put_drive(w, body);
    return;
  }
  si_osim_put_comment(w, "no joint leads here", "");
  si_osim_put_segment(w, body, "ground", &si_osim_identity);
}

static void put_bodies(si_osim_writer *w) {
  const si_osim_model *m = w->m;
  for (size_t i = 0; i < m->body_order_count; i++) put_body(w, &m->frames[m->body_order[i]]);
  bool first = true;
  for (size_t i = m->body_count; i < m->frame_count; i++) {
    const si_osim_frame *f = &m->frames[i];
    if (!f->own) continue;
    if (first) si_text_add(&w->text, "\n-- frames fixed to bodies\n");
    first = false;
    si_osim_put_segment(w, f, m->frames[f->body].key, &f->place);
  }
}

/* writes each body's markers as a comment, for fitting the rig to motion */
static void put_marker_notes(si_osim_writer *w) {
  const si_osim_model *m = w->m;
  if (m->marker_count) si_text_add(&w->text, "\n-- markers, in the frames of their segments\n");
  for (size_t i = 0; i < m->body_count; i++) {
    bool first = true;
    for (size_t k = 0; k < m->marker_count; k++) {
      const si_osim_marker *marker = &m->markers[k];
      if (marker->body != (int)i) continue;
      if (first) {
        si_print_field(&w->text, "body", m->frames[i].key);
        si_text_add(&w->text, ":note(\"markers\", {\n");
      }
      first = false;
      si_text_add(&w->text, "  ");
      si_print_key(&w->text, marker->key);
      si_text_add(&w->text, " = ");
      si_osim_put_vector(w, marker->at);
      si_text_add(&w->text, ",\n");
    }
    if (!first) si_text_add(&w->text, "})\n");
  }
}

void si_osim_put_markers(si_osim_writer *w) {
  const si_osim_model *m = w->m;
  si_osim_put_comment(w, "Markers of", m->name);
  si_text_add(&w->text, "return {\n");
  for (size_t i = 0; i < m->marker_count; i++) {
    si_text_add(&w->text, "  ");
    si_print_key(&w->text, m->markers[i].key);
    si_text_add(&w->text, " = { segment = ");
    si_print_string(&w->text, m->frames[m->markers[i].body].key);
    si_text_add(&w->text, ", at = ");
    si_osim_put_vector(w, m->markers[i].at);
    si_text_add(&w->text, " },\n");
  }
  si_text_add(&w->text, "}\n");
}

void si_osim_put_losses(si_osim_writer *w) {
  const si_osim_model *m = w->m;
  for (size_t i = 0; i < m->loss_count; i++) {
    const char *group = m->losses[i].group;
    size_t first = 0;
    while (strcmp(m->losses[first].group, group) != 0) first++;
    if (first < i) continue; /* this group was already reported */
    si_text_format(&w->text, "%s: ", group);
    for (size_t k = i; k < m->loss_count; k++) {
      const si_osim_loss *loss = &m->losses[k];
      if (strcmp(loss->group, group) != 0) continue;
      if (k > i) si_text_add(&w->text, ", ");
      if (!loss->named || loss->count > 1) si_text_format(&w->text, "%u ", loss->count);
      for (const char *c = loss->label; *c; c++)
        si_text_format(&w->text, "%c", (unsigned char)*c < 32 || *c == 127 ? ' ' : *c);
    }
    si_text_add(&w->text, "\n");
  }
  if (m->more_losses) si_text_format(&w->text, "and %u more\n", m->more_losses);
}

/* T(radii * (R ez)) R with R = Rx(a) Ry(b) Rz(c), made of rotations: with n(a, b) = R ez, n(a, b) -
 * n(a, -b) is 2 sin(b) ex and n(a, b) - n(-a, b) is -2 sin(a) cos(b) ey */
static void put_ellipsoid(si_osim_writer *w, bool inverse) {
  si_text_format(
      &w->text,
      "\n-- %s an ellipsoid: R = Rx(a) Ry(b) Rz(c) turns it, and it stands at radii * R "
      "{ 0, 0, 1 }.\n-- The radii's differences count along x and y, made of turns there "
      "and back.\n"
      "local function %s_ellipsoid(set, a, b, c, radii)\n",
      inverse ? "The inverse of standing on" : "On", inverse ? "off" : "on");
  si_text_add(&w->text, "  local function up(z) return sinew.mat4.translation { 0, 0, z } end\n"
                        "  local x, y = (radii[1] - radii[3]) / 2, (radii[2] - radii[3]) / 2\n"
                        "  local ra = set:rotation { a, axis = { 1, 0, 0 } }\n"
                        "  local rb = set:rotation { b, axis = { 0, 1, 0 } }\n"
                        "  local back_a = set:rotation { a, axis = { -1, 0, 0 } }\n"
                        "  local back_b = set:rotation { b, axis = { 0, -1, 0 } }\n"
                        "  return set:multiply {\n");
  si_text_add(&w->text,
              inverse
                  ? "    up(-radii[3]), set:rotation { c, axis = { 0, 0, -1 } }, back_b, back_a,\n"
                    "    ra, rb, up(-y), back_b, back_a, back_a, rb, up(y), back_b, ra,\n"
                    "    rb, up(-x), back_b, back_b, up(x), rb,\n"
                  : "    rb, up(x), back_b, back_b, up(-x), rb,\n"
                    "    ra, rb, up(y), back_b, back_a, back_a, rb, up(-y), back_b, ra,\n"
                    "    set:euler { a, b, c, order = \"xyz\" }, up(radii[3]),\n");
  si_text_add(&w->text, "  }\nend\n");
}

/* writes the functions for joints on ellipsoids, if there are any */
static void put_functions(si_osim_writer *w) {
  const si_osim_model *m = w->m;
  bool needed[2] = { false, false };
  for (size_t i = 0; i < m->body_order_count; i++) {
    const si_osim_frame *body = &m->frames[m->body_order[i]];
    const si_osim_joint *j = body->joint >= 0 ? &m->joints[body->joint] : NULL;
    for (int k = 0; j && k < j->factor_count; k++)
      if (j->factors[k].act == SI_OSIM_ROLL) needed[body->inverse != j->reverse] = true;
  }
  for (int i = 0; i < 2; i++)
    if (needed[i]) put_ellipsoid(w, i);
}

static void put_loss_comments(si_osim_writer *w) {
  si_osim_writer bare = { .m = w->m };
  si_osim_put_losses(&bare);
  char *line = bare.text.at;
  for (size_t length; !bare.text.failed && line && *line; line += length + 1) {
    length = strcspn(line, "\n");
    line[length] = '\0';
    si_osim_put_comment(w, " ", line);
  }
  w->text.failed |= bare.text.failed;
  si_free(bare.text.at);
}

static void put_head(si_osim_writer *w) {
  const si_osim_model *m = w->m;
  const char *slash = strrchr(m->path, '/');
  char title[512];
  snprintf(title, sizeof title, "%.200s, from %.200s", m->name, slash ? slash + 1 : m->path);
  si_osim_put_comment(w, "", title);
  if (*m->credits) si_osim_put_comment(w, "Credits:", m->credits);
  if (*m->publications) si_osim_put_comment(w, "Publications:", m->publications);
  if (m->loss_count) {
    si_text_add(&w->text, "-- Not carried over:\n");
    put_loss_comments(w);
  }
  si_text_add(&w->text, "local sinew = require \"sinew\"\n\nlocal rig = sinew.rig ");
  si_print_string(&w->text, m->name);
  si_text_add(&w->text,
              "\nlocal joint, coordinate, body = {}, {}, {}\n\n"
              "-- OpenSim has X forward and Z to the right, a rig Z forward and -X to the right\n"
              "body.ground = rig:segment(\"ground\", {\n"
              "  turn = sinew.quat.axis({ 0, 1, 0 }, -90),\n"
              "  shape = { vertices = {}, normals = {}, triangles = {} }, -- unseen\n})\n\n");
}

void si_osim_put_rig(si_osim_writer *w) {
  put_head(w);
  put_coordinates(w);
  put_functions(w);
  si_osim_rest_coordinates(w);
  if (w->rests) put_bodies(w);
  si_free(w->rests);
  put_marker_notes(w);
  si_text_add(&w->text, "\nreturn rig\n");
}
