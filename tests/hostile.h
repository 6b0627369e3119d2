/* Scripts that try to do harm: small files whose first line says `-- expect: part of the message`,
 * and whose second may say `-- limits: seconds=1 instructions=1000 memory=1000`. */
#ifndef HOSTILE_H
#define HOSTILE_H

#include "lua/host/sandbox/sandbox.h"

enum { hostile_most = 400, hostile_name = 128 };

typedef struct hostile_list {
  int count;
  char names[hostile_most][hostile_name];
} hostile_list;

/* The Lua files of a folder, by name. */
void hostile_find(hostile_list *list, const char *folder);
/* The expected part of the message; changes the limits that the second line names. */
bool hostile_head(const char *path, char *dest, size_t room, si_sandbox_desc *desc);
/* Small limits, and time that only `seconds=` makes short. */
si_sandbox_desc hostile_desc(void);

#endif
