/* Finding by a few letters of some words, as "mir po" finds "Mirror the pose". */
#ifndef VIEWER_FUZZY_H
#define VIEWER_FUZZY_H

#include <stdbool.h>

/* How well a text fits: each word of the query must be in it, whole, at the start of a word, inside
 * one, or letter by letter; 0 if one is not. Shorter texts fit better. An empty query fits all. */
int fuzzy_fit(const char *text, const char *query);
/* Whether a text has a part, in capitals or not. */
bool fuzzy_has(const char *text, const char *part);

#endif
