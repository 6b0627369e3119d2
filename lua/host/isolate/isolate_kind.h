/* Kinds of scripted components whose script is in another process. Their recorded components run
 * here, as programs; the others are asked for there. */
#ifndef SI_ISOLATE_KIND_H
#define SI_ISOLATE_KIND_H

#include "base/arena.h"
#include "lua/host/isolate/isolate_wire.h"
#include "sinew/program.h"
#include "sinew/rig.h"

struct si_isolate;

typedef struct si_remote_kind {
  int refs;
  sinew_component_class cls;
  si_arena arena;             /* its tables and texts */
  const char *module;         /* NULL: it is in none */
  struct si_isolate *process; /* NULL: it has ended for good */
  int input_count, output_count, hold_count;
} si_remote_kind;

/* Writes a kind: its tables without parameters that are objects. */
void si_wire_kind(si_wire *w, const sinew_component_class *cls, const char *module);
/* Reads one, with one reference; NULL if it is wrong, or memory is out. */
si_remote_kind *si_unwire_kind(si_unwire *r);
void si_remote_kind_release(si_remote_kind *kind); /* NULL is allowed */

/* One component, as the object parameter `self`. */
typedef struct si_remote_part {
  int refs;
  si_remote_kind *kind;
  sinew_program *program; /* NULL: evaluated in its process */
  char *refusal;          /* why; NULL: not told */
} si_remote_part;

extern const sinew_object_class si_remote_object;
/* Takes over the program; one reference. NULL when memory runs out: the program is released. */
si_remote_part *si_remote_part_create(si_remote_kind *kind, sinew_program *program,
                                      const char *refusal);
/* The part behind a component; NULL for one that is not of such a kind. */
const si_remote_part *si_remote_part_in(const sinew_rig *rig, sinew_component component);

#endif
