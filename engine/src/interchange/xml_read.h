/* Reading a rig from XML: xml_read.c reads the lists, xml_component.c components, xml_values.c
 * values. Functions that return bool report the first error, with its line and column, and then
 * return false. */
#ifndef SI_XML_READ_H
#define SI_XML_READ_H

#include "base/arena.h"
#include "base/names.h"
#include "interchange/xml_tree.h"
#include "interchange/xml_words.h"
#include "sinew/xml.h"

#include <string.h>

enum {
  SI_XML_ORIGIN = 128,
  SI_XML_PRIMS = 1 << 19, /* primitives of all solids, at most; a short text can make many */
  SI_XML_MOST_KINDS = 1024,
  SI_XML_KIND_MOST = 512 /* parts of a kind */
};

/* a field in a file of its own */
typedef struct si_field_file {
  char *name, *param;
  sinew_component component;
} si_field_file;

/* a component whose class comes from a module */
typedef struct si_foreign {
  char *module;
  sinew_component component;
} si_foreign;

struct sinew_xml {
  sinew_builder *builder;
  sinew_xml_shape *shapes; /* one for each segment */
  char **labels;           /* one for each DOF */
  si_field_file *files;
  si_foreign *foreigners;
  size_t shape_count, shape_room, label_count, label_room;
  size_t file_count, file_room, foreign_count, foreign_room;
  si_arena texts; /* names, labels and modules */
};

/* A kind of recorded components: a class made from the file. Builders and rigs hold references. */
typedef struct si_xml_kind {
  int refs; /* changed atomically */
  sinew_component_class cls;
  si_arena arena;         /* of the class's tables */
  sinew_program *program; /* of components that have none of their own, while the file is read */
} si_xml_kind;

typedef struct si_xml_reader {
  const char *name; /* of the file, for messages */
  si_xml_tree tree;
  sinew_error *error;
  sinew_xml *xml;
  si_names sets; /* ids of joint sets */
  size_t wire_count;
  /* what solids are made of, each unplaced, and their numbers by hash, from 1 */
  sinew_solid **recipes;
  size_t recipe_count, recipe_room, prim_count;
  si_names recipe_hashes;
  si_xml_kind **kinds;
  size_t kind_count, kind_room, program_bytes; /* bytes: of the programs of all components */
  si_names kind_names;                         /* their numbers, from 1 */
} si_xml_reader;

static inline bool si_xml_is(const si_xml_node *node, const char *name) {
  return strcmp(node->name, name) == 0;
}

/* Fails at an element: "knee.xml:12:5: ...". Always false. */
#define si_xml_fail(r, node, status, ...)                                                          \
  (si_fail_at((r)->error, status, (r)->name, (node)->line, (node)->column, __VA_ARGS__) == SINEW_OK)
bool si_xml_fail_memory(si_xml_reader *r);
/* `near` holds the elements that would be right in `parent`. */
bool si_xml_unknown(si_xml_reader *r, const si_xml_node *node, const si_xml_node *parent,
                    const si_nearest *near);

/* Checks that all attributes are among `words`, and that the required ones are there. */
bool si_xml_expect(si_xml_reader *r, const si_xml_node *node, const si_xml_word *words);
/* Checks that an element has no text; and neither text nor elements. */
bool si_xml_no_text(si_xml_reader *r, const si_xml_node *node);
bool si_xml_expect_empty(si_xml_reader *r, const si_xml_node *node);

/* "knee.xml:12:5" in `dest`, of SI_XML_ORIGIN bytes. */
const char *si_xml_origin(const si_xml_reader *r, const si_xml_node *node, char *dest);
/* The joint set of the attribute `set`; 0 if there is none. */
bool si_xml_set(si_xml_reader *r, const si_xml_node *node, sinew_joint_set *dest);
/* A full name as the builder expects it, with a leading dot. */
bool si_xml_source(si_xml_reader *r, const si_xml_node *node, const char *name, char *dest,
                   size_t room);
/* Keeps a text as long as the sinew_xml. */
bool si_xml_keep(si_xml_reader *r, const char *text, char **dest);

/* xml_values.c: an attribute of 1 to `most` numbers, and of exactly `wanted`. */
bool si_xml_numbers(si_xml_reader *r, const si_xml_node *node, const char *attribute, float *dest,
                    int most, int *count);
bool si_xml_exactly(si_xml_reader *r, const si_xml_node *node, const char *attribute, float *dest,
                    int wanted);
/* An optional number; `dest` keeps its value if there is none. */
bool si_xml_number(si_xml_reader *r, const si_xml_node *node, const char *attribute, float *dest);
/* An optional frame: `at` or the 16 numbers of `attribute`. `dest` must be the identity. */
bool si_xml_frame(si_xml_reader *r, const si_xml_node *node, const char *attribute, float *dest);
/* An optional flag, "true", "false", "1" or "0"; `dest` keeps its value if there is none. */
bool si_xml_flag(si_xml_reader *r, const si_xml_node *node, const char *attribute, bool *dest);
/* Numbers in the content, in a block for the caller to free; the count is a multiple of `each`. */
bool si_xml_list(si_xml_reader *r, const si_xml_node *node, size_t each, float **dest,
                 size_t *count);
/* Indices of triangles below `below`, in groups of three. */
bool si_xml_triangles(si_xml_reader *r, const si_xml_node *node, size_t below, uint32_t **dest,
                      size_t *count);
/* The attribute `points`: indices below `below`. There is room for half of its characters. */
bool si_xml_points(si_xml_reader *r, const si_xml_node *node, int below, int *dest, int *count);
/* The optional attribute `file`: a relative path below the folder of the XML file. */
bool si_xml_file(si_xml_reader *r, const si_xml_node *node, const char **dest);
/* A parameter of this type; `named` if it has an attribute `name`. Free it with si_xml_param_free;
 * its texts belong to the tree. An object in a file is left NULL, with the file's name in `file`.
 */
bool si_xml_param(si_xml_reader *r, const si_xml_node *node, sinew_param_type type, bool named,
                  sinew_param *dest, const char **file);
void si_xml_param_free(sinew_param *param);

/* The index of an attribute's value among `count` names; those that are NULL are left out. */
bool si_xml_word_of(si_xml_reader *r, const si_xml_node *node, const char *attribute,
                    const char *(*name)(int index), int count, int *dest);

/* xml_kind.c: reads a kind; the reader keeps it until si_xml_kinds_free. */
bool si_xml_read_kind(si_xml_reader *r, const si_xml_node *node);
void si_xml_kinds_free(si_xml_reader *r);
/* The kind that the attribute `kind` of a recorded component names, known to the builder. */
bool si_xml_find_kind(si_xml_reader *r, const si_xml_node *node, si_xml_kind **dest);
/* The program of a component of this kind, as a new reference: that in the element `own`, or, for
 * NULL, the kind's. */
bool si_xml_program(si_xml_reader *r, const si_xml_node *component, const si_xml_kind *kind,
                    const si_xml_node *own, sinew_program **dest);

/* xml_component.c */
bool si_xml_component(si_xml_reader *r, const si_xml_node *node);

/* xml_solid.c: the solid of a shape with at least one element; the caller releases it. The reader
 * keeps the recipes that it made, so that equal ones are shared, until si_xml_solids_free. */
bool si_xml_solid(si_xml_reader *r, const si_xml_node *shape, sinew_solid **dest);
void si_xml_solids_free(si_xml_reader *r);

#endif
