/* Numbers of a rig that a calibration may change, by name. */
#ifndef SI_KNOB_H
#define SI_KNOB_H

#include "sinew/tuning.h"

typedef enum si_knob_kind { SI_KNOB_PARAM, SI_KNOB_AT, SI_KNOB_LENGTH, SI_KNOB_TURN } si_knob_kind;

typedef struct si_knob {
  si_knob_kind kind;
  sinew_segment segment;
  sinew_component component;
  sinew_param_type type;
  char *param;        /* the parameter's name */
  float rest[16];     /* the segment's original rest frame */
  sinew_curve *curve; /* the original curve */
  bool given;         /* the rig's script gave the parameter */
  int count;          /* how many numbers */
  float *start;       /* their values in the rig; for a rotation zeros: degrees about x, y, z */
  float *sigma;       /* the expected deviation of each */
} si_knob;

/* Finds the numbers that `name` refers to; on failure there is nothing to free. */
sinew_status si_knob_find(const sinew_rig *rig, const char *name, si_knob *dest,
                          sinew_error *error);
void si_knob_free(si_knob *knob);
/* Sets the numbers in the rig, with the checks of a live change. */
sinew_status si_knob_set(const si_knob *knob, sinew_host *host, const float *values,
                         sinew_error *error);
/* Restores the original numbers. */
void si_knob_reset(const si_knob *knob, sinew_host *host);
sinew_status si_knob_note(const si_knob *knob, sinew_tuning *tuning, sinew_error *error);

#endif
