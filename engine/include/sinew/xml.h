/* Rigs as XML: a text for people and programs to read that gives the same rig back, to the last bit
 * of every number, in the order of its making. lua/sinew.xsd describes the format; the engine's
 * descriptor tables make both, so a component is read and written as soon as it is in the catalog.
 *
 * A component whose class is not built in travels by the name of the module it comes from, its kind
 * and its parameters; whoever reads the file has to know the module. */
#ifndef SINEW_XML_H
#define SINEW_XML_H

#include "sinew/file.h"
#include "sinew/mesh.h"
#include "sinew/rig.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SINEW_XML_VERSION 1          /* of the format; no other is read */
#define SINEW_XML_BYTES   (64 << 20) /* of a file that is read, at most */
#define SINEW_XML_ITEMS   (1 << 16)  /* joint sets, segments, DOFs, components: so many each */

/* What a segment is drawn with: a mesh, or the name of a file with one beside the XML file. */
typedef struct sinew_xml_shape {
  sinew_shape mesh;
  const char *file; /* NULL: the mesh */
  bool mirrored;    /* what the file holds is mirrored across x = 0 */
} sinew_xml_shape;

/* A number parameter of a component that is not built in, more exactly than a float holds it. */
typedef struct sinew_xml_number {
  sinew_component component;
  const char *param;
  const char *text; /* decimal */
} sinew_xml_number;

/* What a rig does not know itself. Zeroes: nothing more than the rig. */
typedef struct sinew_xml_desc {
  const sinew_xml_shape *shapes; /* one for each segment; NULL: none has any */
  const char *const *labels;     /* one for each DOF, NULL where it has none; NULL: none has any */
  const char *const *modules; /* one for each component: where a class comes from that is not built
                                 in; NULL: all are */
  const sinew_xml_number *numbers;
  int number_count;
  bool fields_beside; /* sinew_xml_save writes each field to a file of its own: rig.1.field ... */
} sinew_xml_desc;

/* Writes a rig as text, or to a file (aside first, then renamed). Fails where memory is out, a text
 * is not UTF-8, or a class is neither built in nor of a module. `desc` may be NULL. The text, which
 * ends with a zero, is the caller's to free by sinew_text_free. */
SINEW_API sinew_status sinew_xml_write(const sinew_rig *rig, const sinew_xml_desc *desc,
                                       char **dest, size_t *size, sinew_error *error);
SINEW_API sinew_status sinew_xml_save(const sinew_rig *rig, const sinew_xml_desc *desc,
                                      const char *path, sinew_error *error);
/* The format as an XML schema (XSD 1.0). */
SINEW_API sinew_status sinew_xml_schema(char **dest, size_t *size, sinew_error *error);

/* A rig that was read: a builder, and what a rig does not know. */
typedef struct sinew_xml sinew_xml;

/* Reads a text; `name` stands for the file in messages, which tell line and column. NULL, with
 * `error` filled, where it is not well-formed, of another version, or has anything that the format
 * does not know. Any document type or entity is refused. What compiling checks is not checked yet.
 */
SINEW_API sinew_xml *sinew_xml_parse(const char *name, const void *text, size_t size,
                                     sinew_error *error);
/* Reads a file, and the fields that it names beside it. */
SINEW_API sinew_xml *sinew_xml_load(const char *path, sinew_error *error);
SINEW_API void sinew_xml_destroy(sinew_xml *xml); /* NULL is allowed */

/* The builder, borrowed; or for the caller to destroy: then the next call gives NULL. */
SINEW_API sinew_builder *sinew_xml_builder(const sinew_xml *xml);
SINEW_API sinew_builder *sinew_xml_take_builder(sinew_xml *xml);
/* Borrowed. Without vertices and file where a segment has no shape, NULL where a DOF has no label.
 */
SINEW_API sinew_xml_shape sinew_xml_shape_of(const sinew_xml *xml, sinew_segment segment);
SINEW_API const char *sinew_xml_label(const sinew_xml *xml, sinew_dof dof);

/* Fields in files of their own, from 0: the name of each, NULL past the end; it is relative and
 * does not climb. sinew_xml_give_file puts the bytes of such a file in its place; sinew_xml_load
 * has done that. */
SINEW_API const char *sinew_xml_file(const sinew_xml *xml, int index);
SINEW_API sinew_status sinew_xml_give_file(sinew_xml *xml, int index, const char *path,
                                           const void *bytes, size_t size, sinew_error *error);

/* Components whose class is not built in, from 0; null past the end. Their classes have to be added
 * to the builder by sinew_builder_add_class. The text of a number parameter stands in its `text`.
 */
SINEW_API sinew_component sinew_xml_foreign(const sinew_xml *xml, int index,
                                            const char **dest_module);

#ifdef __cplusplus
}
#endif
#endif
