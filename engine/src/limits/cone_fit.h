/* Inside the fitting of cones: the samples as swing and twist about a visible point. */
#ifndef SI_CONE_FIT_H
#define SI_CONE_FIT_H

#include "limits/cone_internal.h"
#include "limits/cone_outline.h"

typedef struct si_fit_sample {
  float direction[3];
  float twist;          /* degrees, with the cut of the circle outside all of them */
  float polar, azimuth; /* about V, radians; the azimuth from 0 to 2 pi */
  int group;            /* a sector or the nearest point, as the step needs it */
  bool dropped;         /* given up for the share's sake */
} si_fit_sample;

enum { SI_FIT_MOST_SECTORS = 180 };

typedef struct si_fitting {
  const sinew_cone_fit *fit;
  si_fit_sample *samples; /* one more than given: the rest pose, never dropped */
  int count;              /* without that */
  double *scratch;        /* a number for each of those searched */
  double visible[3], right[3], up[3], rest[3];
  int sectors;
  double inner[SI_FIT_MOST_SECTORS];
  si_outline_point points[SI_FIT_MOST_SECTORS];
  int point_count;
  bool rest_extended;
} si_fitting;

/* reads the samples, and the rest pose as one more behind them */
sinew_status si_fit_read(si_fitting *f, sinew_error *error);

/* Of lists of numbers, each sorted so that the most extreme comes first, drops `budget` in all
 * where it gains most: `gain(list, k)` is what dropping the first k of a list is worth, at most
 * `count` of it. `dropped` counts them for each list and starts as zeros. */
typedef struct si_fit_lists {
  int count;
  const int *sizes;
  int *dropped;
  double (*gain)(const void *context, int list, int from, int k);
  const void *context;
} si_fit_lists;

void si_fit_drop(const si_fit_lists *lists, int budget);

/* heapsort: in place, where the library's sort may take memory behind the host's back */
void si_fit_sort(void *items, int count, size_t size, bool (*before)(const void *, const void *));

/* fills what the report says about areas; false when memory is out */
bool si_fit_report(const sinew_cone *cone, const si_fit_sample *samples, int count, float cell,
                   sinew_cone_fit_report *report);

#endif
