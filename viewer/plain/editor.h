/* Opening a line of a file in the user's editor. */
#ifndef VIEWER_EDITOR_H
#define VIEWER_EDITOR_H

#include <stdbool.h>
#include <stddef.h>

/* Reads "path:12", the place of a message; false if it is none. */
bool editor_place(const char *origin, char *path, size_t capacity, int *line);

enum { editor_most_words = 16 };
/* The command that opens a line: words for execvp, terminated by NULL, in `text`. `editor` may have
 * arguments, "code --wait". `terminal` runs editors that need one, "xterm"; NULL: there is none.
 * Returns the number of words; 0 if the editor needs a terminal and there is none, or if the
 * command is too long. */
int editor_command(const char *editor, const char *terminal, const char *path, int line, char *text,
                   size_t capacity, char *words[editor_most_words]);
/* Starts it, without waiting; false if that cannot be done. */
bool editor_start(const char *editor, const char *path, int line);

#endif
