/* The formation. */
#include "plain/crowd_place.h"

#include <math.h>

int crowd_columns(int count, float across, float deep) {
  int columns = (int)lroundf(sqrtf((float)count * deep / across));
  if (columns > count) columns = count;
  return columns < 1 ? 1 : columns;
}

void crowd_place(int character, int columns, float *column, int *row) {
  int along = character % columns;
  *row = character / columns;
  *column = (float)(along % 2 ? (along + 1) / 2 : -along / 2) + (*row % 2 ? -0.5f : 0);
}
