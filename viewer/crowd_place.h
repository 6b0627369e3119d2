/* Where the characters of a crowd stand: in rows behind each other, the first in the middle of the
 * front, and every row filled from its middle. */
#ifndef VIEWER_CROWD_PLACE_H
#define VIEWER_CROWD_PLACE_H

enum { most_characters = 10000 };

/* Columns of a crowd of characters that need so much room, across and deep: a block somewhat wider
 * than it is deep. */
int crowd_columns(int count, float across, float deep);
/* The place of a character, from 0, in columns and rows from the first one; rows go backwards. */
void crowd_place(int character, int columns, int *column, int *row);

#endif
