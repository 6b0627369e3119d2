/* Rigs as XML, readable by people and programs. Reading gives the same rig back, to the last bit of
 * every number and in the same order. lua/sinew.xsd describes the format. Both follow from the
 * engine's descriptor tables, so every component of the catalog can be read and written.
 *
 * A component whose class is not built in is written as its kind and its parameters, with one of
 * two things: its program (sinew/program.h), which a file carries along with the tables of the
 * kind, so that it opens anywhere; or the name of its module, which the reader has to provide.
 * Files with programs are of version 2, all others of version 1.
 *
 * Any number of threads may write one rig at a time. A sinew_xml belongs to one thread at a
 * time. */
#ifndef SINEW_XML_H
#define SINEW_XML_H

#include "sinew/file.h"
#include "sinew/mesh.h"
#include "sinew/program.h"
#include "sinew/rig.h"
#include "sinew/solid.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SINEW_XML_VERSION 2          /* of the format; newer ones are refused */
#define SINEW_XML_BYTES   (64 << 20) /* maximum size of a file */
#define SINEW_XML_ITEMS   (1 << 18)  /* maximum of joint sets, segments, DOFs and components each */

/* The shape of a segment: the name of a mesh file in the folder of the XML file, or a solid, or a
 * mesh; `vertices` NULL: it has none. A mesh with `vertices` and a count of 0 is for a segment that
 * is not seen. A solid is written as it is: points, parts and elements. */
typedef struct sinew_xml_shape {
  sinew_shape mesh;
  const char *file;   /* NULL: the solid or the mesh */
  bool mirrored;      /* the file's mesh is mirrored across x = 0 */
  sinew_solid *solid; /* NULL: the mesh */
} sinew_xml_shape;

/* A number parameter of a component that is not built in, with more digits than a float has. */
typedef struct sinew_xml_number {
  sinew_component component;
  const char *param;
  const char *text; /* decimal */
} sinew_xml_number;

/* What a rig does not store itself. All of it is optional. */
typedef struct sinew_xml_desc {
  size_t size;                   /* filled by sinew_default_xml_desc */
  const sinew_xml_shape *shapes; /* one for each segment; NULL: none has any */
  const char *const *labels;     /* one for each DOF, NULL if it has none; NULL: none has any */
  const char *const *modules; /* one for each component: where a class comes from that is not built
                                 in; NULL: all are */
  const sinew_xml_number *numbers;
  int number_count;
  bool fields_beside; /* sinew_xml_save writes each field to a file of its own: rig.1.field ... */
  /* One for each component: the program of one whose class is not built in; NULL: none. Those of a
   * rig that was read need not be given. Where one component of a class has no program, all
   * components of the class are written by module. The file keeps the tables of such a class, but
   * not its objects, its choices, and what its ports and parameters mean to the solver and the
   * viewer. */
  sinew_program *const *programs;
  /* For who keeps the scripts of a rig elsewhere: also writes where its author made each segment,
   * DOF and component, and leaves out the objects of components that are written by module. */
  bool origins, without_objects;
} sinew_xml_desc;

/* Only the rig. */
SINEW_API sinew_xml_desc sinew_default_xml_desc(void);

/* Writes a rig as text, or to a file with sinew_file_write. Fails if memory runs out, a string is
 * not UTF-8, or a class is neither built in nor of a module. `desc` may be NULL. The caller frees
 * the text, which ends with a zero, with sinew_text_free. */
SINEW_API sinew_status sinew_xml_write(const sinew_rig *rig, const sinew_xml_desc *desc,
                                       char **dest, size_t *size, sinew_error *error);
SINEW_API sinew_status sinew_xml_save(const sinew_rig *rig, const sinew_xml_desc *desc,
                                      const char *path, sinew_error *error);
/* The format as an XML schema (XSD 1.0). */
SINEW_API sinew_status sinew_xml_schema(char **dest, size_t *size, sinew_error *error);

/* Loads a rig in one call: reads a file, compiles, and needs no Lua. Write the rig in Lua, export
 * it (sinew export crane.lua crane.xml) and ship the XML. Returns NULL, with `error` filled, where
 * sinew_xml_load or sinew_builder_compile fails, for a rig script, and for a rig with components of
 * a module, which sinew_host_load of sinew/host.h loads. The caller owns the rig. */
SINEW_API sinew_rig *sinew_rig_load(const char *path, sinew_error *error);

/* A rig that was read: a builder, and what a rig does not store. */
typedef struct sinew_xml sinew_xml;

/* Reads a text. Messages use `name` as the path, and name line and column. Returns NULL, with
 * `error` filled, if the text is not well-formed, is of another version, or has anything that the
 * format does not define. Document types and entities are refused. Compiling makes the
 * remaining checks. */
SINEW_API sinew_xml *sinew_xml_parse(const char *name, const void *text, size_t size,
                                     sinew_error *error);
/* Reads a file, and the field files that it names. */
SINEW_API sinew_xml *sinew_xml_load(const char *path, sinew_error *error);
SINEW_API void sinew_xml_destroy(sinew_xml *xml); /* NULL is allowed */

/* The builder: borrowed, or taken over by the caller, who destroys it; after that both return
 * NULL. */
SINEW_API sinew_builder *sinew_xml_builder(const sinew_xml *xml);
SINEW_API sinew_builder *sinew_xml_take_builder(sinew_xml *xml);
/* Borrowed. A shape without vertices, solid and file if the segment has none; NULL if a DOF has no
 * label. sinew_solid_retain keeps a solid, sinew_solid_mesh makes its mesh; segments with equal
 * solids share one, and its meshes. */
SINEW_API sinew_xml_shape sinew_xml_shape_of(const sinew_xml *xml, sinew_segment segment);
SINEW_API const char *sinew_xml_label(const sinew_xml *xml, sinew_dof dof);

/* Fields in files of their own, from 0: the name of each, NULL past the end. It is a relative path
 * without "..". sinew_xml_give_file provides the bytes of such a file; sinew_xml_load does that by
 * itself. */
SINEW_API const char *sinew_xml_file(const sinew_xml *xml, int index);
SINEW_API sinew_status sinew_xml_give_file(sinew_xml *xml, int index, const char *path,
                                           const void *bytes, size_t size, sinew_error *error);

/* Components whose class comes from a module, from 0; null past the end. Add their classes to the
 * builder with sinew_builder_add_class. `text` of a number parameter is the number as it was
 * written. */
SINEW_API sinew_component sinew_xml_foreign(const sinew_xml *xml, int index,
                                            const char **dest_module);

#ifdef __cplusplus
}
#endif
#endif
