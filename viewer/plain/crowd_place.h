/* Where the characters of a crowd stand: in rows behind each other, the first in the middle of the
 * front, every row filled from its middle, and everybody behind a gap of the row before. */
#ifndef VIEWER_CROWD_PLACE_H
#define VIEWER_CROWD_PLACE_H

enum { most_characters = 10000 };

/* Columns of a crowd of characters that need so much room, across and deep: a block about as wide
 * as it is deep. */
int crowd_columns(int count, float across, float deep);
/* The place of a character, from 0, in columns and rows from the first one; rows go backwards, and
 * every other one is half a column aside. */
void crowd_place(int character, int columns, float *column, int *row);

#endif
