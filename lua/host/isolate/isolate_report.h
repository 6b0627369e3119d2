/* What the process of a rig tells of it: the rig as XML, and what XML has no room for. */
#ifndef SI_ISOLATE_REPORT_H
#define SI_ISOLATE_REPORT_H

#include "lua/base/watch.h"
#include "lua/host/isolate/isolate_kind.h"
#include "lua/host/tuned.h"
#include "sinew/xml.h"

/* A scripted component: its kind, and either its program or why it has none. */
typedef struct si_report_part {
  uint32_t component, kind;
  const char *program, *refusal;
} si_report_part;

typedef struct si_report {
  unsigned char *message; /* the texts below are in it */
  sinew_error error;      /* its status is that of the load */
  si_watch_file *files;
  sinew_host_option *options;
  si_remote_kind **kinds;
  si_report_part *parts;
  int file_count, option_count, kind_count, part_count;
  si_tuned_list tuned;
  const char *xml, *warnings;
  size_t xml_size;
} si_report;

/* Reads a message, which the report takes over even if it is wrong; then returns false. `dest` is
 * to be freed by si_report_free in any case. */
bool si_report_read(unsigned char *message, size_t size, si_report *dest);
void si_report_free(si_report *report);
/* The rig of a report: compiles its XML with the report's kinds. `shapes` and `labels` are filled
 * from it, if they are not NULL. */
struct si_shapes;
sinew_rig *si_report_compile(const si_report *report, const char *path, struct si_shapes *shapes,
                             sinew_error *error);

#endif
