/* The checks of compiling. They resolve names to ids in a draft of the model, and collect all
 * mistakes. */
#ifndef SI_CHECK_H
#define SI_CHECK_H

#include "build/builder_internal.h"
#include "base/error_internal.h"
#include "sinew/pose.h"

typedef struct si_check {
  const sinew_builder *builder;
  si_model *model;    /* the draft: resolved parts are written into it */
  si_index index;     /* filled by si_check_model */
  si_source *inputs;  /* one array for all components; the caller owns it */
  bool broken_tree;   /* a parent is unknown, so ancestors cannot be determined */
  bool *bad;          /* for each component: its parameters cannot be read; the caller owns it */
  sinew_error *error; /* never NULL */
} si_check;

/* Reports a mistake, with its origin in front. */
void si_mistake(si_check *check, const char *origin, sinew_status status, const char *format, ...)
    SINEW_PRINTF(4, 5);

/* Runs all checks below; false when memory runs out. Mistakes are counted in check->error. */
bool si_check_model(si_check *check);
/* Frees the name tables (not inputs and bad). */
void si_check_end(si_check *check);

/* Check one segment's rest frame, one DOF's range, and a constant of `kind`; `who` names its input
 * in messages. False if it is wrong. */
bool si_check_rest(const si_segment *segment, sinew_error *error);
bool si_check_dof(const si_dof *dof, sinew_error *error);
bool si_check_constant(const char *who, const char *origin, sinew_kind kind, const float *value,
                       sinew_error *error);

/* Checks a component's parameters against its class's table; false if one is wrong. */
bool si_check_params(const si_component *component, const si_model *model, sinew_error *error);

/* Wires into components and segments. */
bool si_check_wires(si_check *check); /* false: memory or the budget has run out */

/* The order in which components must be evaluated, as indices into model->components. A cycle is a
 * mistake that names its components; several are reported, each once. False when memory runs
 * out. */
bool si_sort(const si_model *model, uint32_t *order, sinew_error *error);

#endif
