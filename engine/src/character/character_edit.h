/* Writing a file's JSON again with a few changes. */
#ifndef SI_CHARACTER_EDIT_H
#define SI_CHARACTER_EDIT_H

#include "character/character_internal.h"

/* A value as it was. */
void si_edit_put(si_text *out, const si_json *json, const si_json_value *value);
/* A member with its key, after a comma unless it is the first. */
void si_edit_key(si_text *out, const char *key, bool *first);
void si_edit_copy(si_text *out, const si_json *json, const si_json_value *value, bool *first);
bool si_edit_is(const si_json_value *member, const char *const *keys);
void si_edit_numbers(si_text *out, const float *numbers, int count);

/* What of the rig is in `extras`, as a value. */
void si_character_put_extras(si_text *out, const sinew_character *c,
                             const sinew_character_write_desc *desc);

#endif
