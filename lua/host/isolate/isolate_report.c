/* Reading what the process of a rig tells of it; see isolate_report.h. */
#include "lua/host/isolate/isolate_report.h"

#include "base/alloc.h"
#include "base/budget_internal.h"
#include "base/error_internal.h"
#include "lua/host/shape.h"
#include "lua/rig/script_lua.h"

#include <string.h>

enum { most_files = 4096, most_options = 256, most_tuned = 1 << 18, most_kinds = 4096 };

/* an array for that many items, of which each takes at least 8 bytes of the message */
static void *items(si_unwire *r, int64_t most, size_t size, int *count) {
  *count = (int)si_unwire_int(r, 0, most);
  if ((size_t)*count > r->left / 8) r->failed = true;
  void *block = r->failed ? NULL : si_alloc_array((size_t)*count + 1, size);
  if (!block) {
    *count = 0;
    r->failed = true;
  }
  return block;
}

static void read_files(si_unwire *r, si_report *dest) {
  int count;
  dest->files = items(r, most_files, sizeof *dest->files, &count);
  for (int i = 0; i < count && !r->failed; i++) {
    si_watch_file *f = &dest->files[i];
    size_t length;
    f->path = si_unwire_text_raw(r, &length);
    if (!f->path) r->failed = true;
    f->stamp.exists = si_unwire_int(r, 0, 1);
    f->stamp.regular = si_unwire_int(r, 0, 1);
    f->stamp.size = si_unwire_int(r, INT64_MIN, INT64_MAX);
    f->stamp.modified = si_unwire_int(r, INT64_MIN, INT64_MAX);
    f->stamp.changed = si_unwire_int(r, INT64_MIN, INT64_MAX);
    f->stamp.inode = (uint64_t)si_unwire_int(r, INT64_MIN, INT64_MAX);
    f->stamp.device = (uint64_t)si_unwire_int(r, INT64_MIN, INT64_MAX);
    f->stamp.content = (uint64_t)si_unwire_int(r, INT64_MIN, INT64_MAX);
    f->optional = si_unwire_int(r, 0, 1);
    if (!r->failed) dest->file_count = i + 1;
  }
}

static void read_options(si_unwire *r, si_report *dest) {
  int count;
  dest->options = items(r, most_options, sizeof *dest->options, &count);
  for (int i = 0; i < count && !r->failed; i++) {
    sinew_host_option *o = &dest->options[i];
    o->name = si_unwire_name(r);
    o->value = si_unwire_name(r);
    o->initial = si_unwire_name(r);
    o->allowed = si_unwire_name(r);
    o->doc = si_unwire_text(r);
    o->number = si_unwire_int(r, 0, 1);
    dest->option_count = i + 1;
  }
}

static void read_tuned(si_unwire *r, si_report *dest) {
  int64_t count = si_unwire_int(r, 0, most_tuned);
  for (int64_t i = 0; i < count && !r->failed; i++) {
    si_tuned_kind kind = (si_tuned_kind)si_unwire_int(r, 0, SI_TUNED_DOF);
    const char *name = si_unwire_name(r), *param = si_unwire_text(r);
    if ((kind == SI_TUNED_COMPONENT) != (param != NULL) ||
        (!r->failed && !si_tuned_add(&dest->tuned, kind, name, param)))
      r->failed = true;
  }
}

static void read_kinds(si_unwire *r, si_report *dest) {
  int count;
  dest->kinds = items(r, most_kinds, sizeof *dest->kinds, &count);
  for (int i = 0; i < count && !r->failed; i++) {
    dest->kinds[i] = si_unwire_kind(r);
    if (dest->kinds[i]) dest->kind_count = i + 1;
  }
}

static void read_parts(si_unwire *r, si_report *dest) {
  int count;
  uint32_t last = 0;
  dest->parts = items(r, SINEW_XML_ITEMS, sizeof *dest->parts, &count);
  for (int i = 0; i < count && !r->failed; i++) {
    si_report_part *p = &dest->parts[i];
    size_t length;
    p->component = (uint32_t)si_unwire_int(r, (int64_t)last + 1, SINEW_XML_ITEMS);
    p->kind = (uint32_t)si_unwire_int(r, 0, (int64_t)dest->kind_count - 1);
    p->program = si_unwire_text_raw(r, &length);
    p->refusal = si_unwire_text(r);
    last = p->component;
    dest->part_count = i + 1;
  }
}

bool si_report_read(unsigned char *message, size_t size, si_report *dest) {
  *dest = (si_report){ .message = message };
  si_unwire r = { message, size, false };
  sinew_status status = (sinew_status)si_unwire_int(&r, SINEW_ERR_CALL, SINEW_CLAMPED);
  const char *text = si_unwire_name(&r);
  sinew_error_clear(&dest->error);
  if (status < 0) si_fail(&dest->error, status, "%s", text);
  read_files(&r, dest);
  if (status < 0) return si_unwire_done(&r);
  dest->xml = si_unwire_text_raw(&r, &dest->xml_size);
  dest->warnings = si_unwire_name(&r);
  if (!dest->xml) r.failed = true;
  if (!r.failed) read_options(&r, dest);
  if (!r.failed) read_tuned(&r, dest);
  if (!r.failed) read_kinds(&r, dest);
  if (!r.failed) read_parts(&r, dest);
  return si_unwire_done(&r);
}

void si_report_free(si_report *report) {
  for (int i = 0; i < report->kind_count; i++) si_remote_kind_release(report->kinds[i]);
  si_tuned_free(&report->tuned);
  si_free(report->kinds);
  si_free(report->parts);
  si_free(report->options);
  si_free(report->files);
  si_free(report->message);
  *report = (si_report){ .message = NULL };
}

/* --- the rig */

static bool adopt(const si_report *report, const si_report_part *from, sinew_builder *builder,
                  sinew_component component, sinew_error *error) {
  si_remote_kind *kind = report->kinds[from->kind];
  const char *name = sinew_builder_component_name(builder, component);
  if (strcmp(sinew_builder_component_kind(builder, component), kind->cls.name) != 0 ||
      sinew_builder_param(builder, component, "self"))
    return si_fail_false(error, SINEW_ERR_TYPE, "component '%s' is of another kind", name);
  sinew_error why;
  sinew_program *program = NULL;
  if (from->program && !(program = sinew_program_create(from->program, &why)))
    return si_fail_false(error, why.status, "component '%s': %s", name, why.text);
  si_remote_part *part = si_remote_part_create(kind, program, from->refusal);
  if (!part) return si_memory_false(error);
  sinew_param self = sinew_param_object("self", &si_remote_object, part);
  bool fine = sinew_builder_add_class(builder, &kind->cls, error) >= 0 &&
              sinew_builder_set_param(builder, component, &self, error) >= 0;
  si_remote_object.release(part);
  return fine;
}

/* every component of a script has a part, in the same order */
static bool adopt_all(const si_report *report, const sinew_xml *xml, sinew_error *error) {
  sinew_component component;
  const char *module;
  int i = 0;
  size_t bytes = 0;
  for (; (component = sinew_xml_foreign(xml, i, &module)).id; i++) {
    const si_report_part *part = &report->parts[i];
    if (i >= report->part_count || part->component != component.id)
      return si_fail_false(error, SINEW_ERR_MISSING, "a component has no kind");
    if (part->program) bytes += strlen(part->program);
    if (bytes > SINEW_XML_BYTES)
      return si_fail_false(error, SINEW_ERR_LIMIT, "the programs of all components are too long");
    if (!adopt(report, part, sinew_xml_builder(xml), component, error)) return false;
  }
  return i == report->part_count ||
         si_fail_false(error, SINEW_ERR_MISSING, "a kind has no component");
}

static void *copied(const void *from, size_t count, size_t size) {
  void *to = si_alloc_array(count + 1, size);
  if (to && count) memcpy(to, from, count * size);
  return to;
}

/* vertices and normals are one block, as si_shape_free expects */
static bool copy_mesh(const sinew_shape *from, sinew_shape *dest) {
  size_t floats = 3 * (size_t)from->vertex_count;
  float *vertices = si_alloc_array(2 * floats + 1, sizeof *vertices);
  uint32_t *triangles =
      copied(from->triangles, 3 * (size_t)from->triangle_count, sizeof *triangles);
  if (!vertices || !triangles) {
    si_free(vertices);
    si_free(triangles);
    return false;
  }
  if (floats) memcpy(vertices, from->vertices, floats * sizeof *vertices);
  if (floats) memcpy(vertices + floats, from->normals, floats * sizeof *vertices);
  *dest = (sinew_shape){ vertices, vertices + floats, triangles, from->vertex_count,
                         from->triangle_count };
  return true;
}

static bool take_shapes(const sinew_xml *xml, si_shapes *dest, sinew_error *error) {
  sinew_counts counts = sinew_builder_counts(sinew_xml_builder(xml));
  if (!si_shapes_make_room(dest, counts.segments, counts.dofs)) return si_memory_false(error);
  for (int i = 0; i < counts.segments; i++) {
    sinew_xml_shape shape = sinew_xml_shape_of(xml, (sinew_segment){ (uint32_t)i + 1 });
    dest->solids[i] = shape.file ? NULL : sinew_solid_retain(shape.solid);
    if (!shape.file && !shape.solid && shape.mesh.vertices &&
        !copy_mesh(&shape.mesh, &dest->shapes[i]))
      return si_memory_false(error);
  }
  for (int i = 0; i < counts.dofs; i++) {
    const char *label = sinew_xml_label(xml, (sinew_dof){ (uint32_t)i + 1 });
    dest->labels[i] = si_strdup(label);
    if (label && !dest->labels[i]) return si_memory_false(error);
  }
  return true;
}

static bool has_line(const char *text, const char *line, size_t length) {
  for (; *text; text += strcspn(text, "\n"), text += *text == '\n')
    if (strcspn(text, "\n") == length && memcmp(text, line, length) == 0) return true;
  return false;
}

/* the lines of `all` that compiling does not find again, to be freed; NULL: none, or no memory */
static char *other_lines(const char *all, const char *found) {
  char *lines = si_alloc(strlen(all) + 2), *end = lines;
  for (const char *at = all; lines && *at;) {
    size_t length = strcspn(at, "\n");
    if (length && !has_line(found, at, length)) {
      if (end != lines) *end++ = '\n';
      memcpy(end, at, length);
      end += length;
    }
    at += length + (at[length] == '\n');
  }
  if (lines && end != lines) return lines;
  si_free(lines);
  return NULL;
}

/* what the script's side warned of comes first; compiling finds the rest */
static sinew_rig *compile(sinew_builder *builder, const char *warnings, sinew_error *error) {
  sinew_rig *rig = sinew_builder_compile(builder, error);
  char *more = rig ? other_lines(warnings, sinew_rig_warnings(rig)) : NULL;
  if (!more) return rig;
  sinew_rig_destroy(rig);
  rig = sinew_builder_set_warnings(builder, more) < 0 ? si_memory_null(error)
                                                      : sinew_builder_compile(builder, error);
  si_free(more);
  return rig;
}

sinew_rig *si_report_compile(const si_report *report, const char *path, si_shapes *shapes,
                             sinew_error *error) {
  sinew_error why;
  sinew_xml *xml = sinew_xml_parse(path, report->xml, report->xml_size, &why);
  if (xml && sinew_xml_file(xml, 0)) {
    sinew_xml_destroy(xml);
    xml = si_fail_null(&why, SINEW_ERR_FILE, "it names another file");
  }
  sinew_rig *rig = NULL;
  if (xml && adopt_all(report, xml, &why) && (!shapes || take_shapes(xml, shapes, &why)))
    rig = compile(sinew_xml_builder(xml), report->warnings, &why);
  sinew_xml_destroy(xml);
  if (!rig && si_stopped())
    si_fail(error, why.status, "%s: the rig that its process sent: %s", path, why.text);
  else if (!rig)
    si_fail(error, why.status, "%s: the rig's process sent a rig that is wrong: %s", path,
            why.text);
  return rig;
}
