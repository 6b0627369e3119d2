/* Internals of fitting a cone: the samples as swing and twist about a visible point. */
#ifndef SI_CONE_FIT_H
#define SI_CONE_FIT_H

#include "limits/cone_internal.h"
#include "limits/cone_outline.h"

typedef struct si_fit_sample {
  float direction[3];
  float twist;          /* degrees; the circle is cut where no sample is */
  float polar, azimuth; /* about V, in radians; the azimuth is from 0 to 2 pi */
  int group;            /* a sector or the nearest point, depending on the step */
  bool dropped;         /* excluded, within the share that may be dropped */
} si_fit_sample;

enum { SI_FIT_MOST_SECTORS = 180 };

typedef struct si_fitting {
  const sinew_cone_fit *fit;
  si_fit_sample *samples; /* `count` samples, then the rest pose, which is never dropped */
  int count;              /* without the rest pose */
  double *scratch;        /* one number for each sample */
  double visible[3], right[3], up[3], rest[3];
  int sectors;
  double inner[SI_FIT_MOST_SECTORS];
  si_outline_point points[SI_FIT_MOST_SECTORS];
  int point_count;
  bool rest_extended;
} si_fitting;

/* reads the samples, and adds the rest pose after them */
sinew_status si_fit_read(si_fitting *f, sinew_error *error);

/* Drops `budget` numbers in all from several lists, each sorted with the most extreme number first,
 * where that gains most. `gain(list, k)` is the gain of dropping the first k of a list, with k at
 * most `count`. `dropped` counts them for each list and starts as zeros. */
typedef struct si_fit_lists {
  int count;
  const int *sizes;
  int *dropped;
  double (*gain)(const void *context, int list, int from, int k);
  const void *context;
} si_fit_lists;

void si_fit_drop(const si_fit_lists *lists, int budget);

/* a heapsort in place; the C library's sort may allocate memory that the host's allocator does not
 * see */
/* Who calls it asks si_stopped: then the order is of no use. */
void si_fit_sort(void *items, int count, size_t size, bool (*before)(const void *, const void *));

/* fills in the areas of the report; false when memory runs out */
bool si_fit_report(const sinew_cone *cone, const si_fit_sample *samples, int count, float cell,
                   sinew_cone_fit_report *report);

#endif
