/* The result of reading an XML file: access, loading the field files it names, and freeing it. */
#include "interchange/xml_read.h"

#include "base/alloc.h"
#include "base/file_internal.h"
#include "base/text.h"
#include "sinew/field.h"

#include <stdio.h>
#include <string.h>

void sinew_xml_destroy(sinew_xml *xml) {
  if (!xml) return;
  for (size_t i = 0; i < xml->shape_count; i++) {
    si_free((void *)(uintptr_t)xml->shapes[i].mesh.vertices);
    si_free((void *)(uintptr_t)xml->shapes[i].mesh.normals);
    si_free((void *)(uintptr_t)xml->shapes[i].mesh.triangles);
    sinew_solid_release(xml->shapes[i].solid);
  }
  si_arena_free(&xml->texts);
  si_free(xml->shapes);
  si_free(xml->labels);
  si_free(xml->files);
  si_free(xml->foreigners);
  sinew_builder_destroy(xml->builder);
  si_free(xml);
}

/* --- access */

sinew_builder *sinew_xml_builder(const sinew_xml *xml) {
  return SI_EXPECT(xml) ? xml->builder : NULL;
}

sinew_builder *sinew_xml_take_builder(sinew_xml *xml) {
  if (!SI_EXPECT(xml)) return NULL;
  sinew_builder *builder = xml->builder;
  xml->builder = NULL;
  return builder;
}

sinew_xml_shape sinew_xml_shape_of(const sinew_xml *xml, sinew_segment segment) {
  if (!SI_EXPECT(segment.id && segment.id <= xml->shape_count))
    return (sinew_xml_shape){ .file = NULL };
  return xml->shapes[segment.id - 1];
}

const char *sinew_xml_label(const sinew_xml *xml, sinew_dof dof) {
  return SI_EXPECT(dof.id && dof.id <= xml->label_count) ? xml->labels[dof.id - 1] : NULL;
}

const char *sinew_xml_file(const sinew_xml *xml, int index) {
  if (!SI_EXPECT(xml)) return NULL;
  return index >= 0 && (size_t)index < xml->file_count ? xml->files[index].name : NULL;
}

sinew_status sinew_xml_give_file(sinew_xml *xml, int index, const char *path, const void *bytes,
                                 size_t size, sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(xml)) return SINEW_ERR_CALL;
  if (!SI_EXPECT(xml->builder && index >= 0 && (size_t)index < xml->file_count))
    return SINEW_ERR_CALL;
  const si_field_file *f = &xml->files[index];
  sinew_error why;
  sinew_field *field = sinew_field_decode(path, bytes, size, 0, &why);
  if (!field) return si_fail(error, why.status, "%s", why.text);
  sinew_param param = sinew_param_object(f->param, &sinew_field_class, field);
  sinew_status status = sinew_builder_set_param(xml->builder, f->component, &param, error);
  sinew_field_release(field);
  return status;
}

sinew_component sinew_xml_foreign(const sinew_xml *xml, int index, const char **dest_module) {
  if (!SI_EXPECT(xml)) return (sinew_component){ 0 };
  if (index < 0 || (size_t)index >= xml->foreign_count) return (sinew_component){ 0 };
  if (dest_module) *dest_module = xml->foreigners[index].module;
  return xml->foreigners[index].component;
}

/* --- from a file */

static sinew_status load_field(sinew_xml *xml, int index, const char *path, sinew_error *error) {
  const char *name = xml->files[index].name, *slash = strrchr(path, '/');
  size_t folder = slash ? (size_t)(slash - path) + 1 : 0, room = folder + strlen(name) + 1;
  char *full = si_alloc(room);
  if (!full) return si_fail_memory(error);
  snprintf(full, room, "%.*s%s", (int)folder, path, name);
  unsigned char *bytes;
  size_t size;
  sinew_status status = si_file_read(full, SINEW_XML_BYTES, &bytes, &size, error);
  if (status == SINEW_OK) {
    status = sinew_xml_give_file(xml, index, full, bytes, size, error);
    si_free(bytes);
  }
  si_free(full);
  return status;
}

/* whether the first character is plain text, where XML has '<' or the mark of an encoding */
static bool is_text_without_tags(const unsigned char *bytes, size_t size) {
  size_t at = 0;
  while (at < size && bytes[at] && strchr(" \t\r\n", bytes[at])) at++;
  return at < size && bytes[at] >= ' ' && bytes[at] < 127 && bytes[at] != '<';
}

sinew_xml *sinew_xml_load(const char *path, sinew_error *error) {
  sinew_error_clear(error);
  unsigned char *bytes;
  size_t size;
  if (!SI_EXPECT(path) || si_file_read(path, SINEW_XML_BYTES, &bytes, &size, error) != SINEW_OK)
    return NULL;
  sinew_xml *xml = NULL;
  if (is_text_without_tags(bytes, size))
    si_fail(error, SINEW_ERR_FILE, "%s: not XML%s", path,
            si_ends_with(path, ".lua") ? ", but a rig script; 'sinew export' writes it as XML"
                                       : "");
  else
    xml = sinew_xml_parse(path, bytes, size, error);
  si_free(bytes);
  if (!xml) return NULL;
  for (int i = 0; sinew_xml_file(xml, i); i++) {
    if (load_field(xml, i, path, error) == SINEW_OK) continue;
    sinew_xml_destroy(xml);
    return NULL;
  }
  return xml;
}

sinew_rig *sinew_rig_load(const char *path, sinew_error *error) {
  sinew_error_clear(error);
  sinew_xml *xml = SI_EXPECT(path) ? sinew_xml_load(path, error) : NULL;
  if (!xml) return NULL;
  sinew_rig *rig = NULL;
  const char *module;
  sinew_component scripted = sinew_xml_foreign(xml, 0, &module);
  if (scripted.id)
    si_fail(error, SINEW_ERR_SCRIPT,
            "%s: component '%s' is scripted (module '%s'); sinew_host_load loads rigs with scripts",
            path, sinew_builder_component_name(xml->builder, scripted), module);
  else
    rig = sinew_builder_compile(xml->builder, error);
  sinew_xml_destroy(xml);
  return rig;
}
