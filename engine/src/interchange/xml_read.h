/* A rig that is being read from XML, shared by the reader's files. */
#ifndef SI_XML_READ_H
#define SI_XML_READ_H

#include "base/names.h"
#include "sinew/xml.h"
#include "interchange/xml_values.h"

#include <string.h>

enum { SI_XML_ORIGIN = 128 };

/* a field in a file of its own */
typedef struct si_field_file {
  char *name, *param;
  sinew_component component;
} si_field_file;

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
};

typedef struct si_xml_draft {
  si_xml_reader base;
  sinew_xml *xml;
  si_names sets; /* ids of joint sets */
  size_t wire_count;
} si_xml_draft;

/* "knee.xml:12:5" in `dest`, of SI_XML_ORIGIN bytes. */
const char *si_xml_origin(const si_xml_draft *r, const si_xml_node *node, char *dest);
static inline bool si_xml_is(const si_xml_node *node, const char *name) {
  return strcmp(node->name, name) == 0;
}
/* Each reports its mistake and gives false, as those of xml_values.h do. */
bool si_xml_fail_memory(si_xml_draft *r);
bool si_xml_unknown(si_xml_draft *r, const si_xml_node *node, const si_xml_node *parent,
                    const si_nearest *near);
bool si_xml_no_text(si_xml_draft *r, const si_xml_node *node);
/* The joint set that an element says it is of, if any. */
bool si_xml_set(si_xml_draft *r, const si_xml_node *node, sinew_joint_set *dest);
/* A name in full as the builder wants it, with a dot in front. */
bool si_xml_source(si_xml_draft *r, const si_xml_node *node, const char *name, char *dest,
                   size_t room);

/* xml_component.c */
bool si_xml_component(si_xml_draft *r, const si_xml_node *node);

#endif
