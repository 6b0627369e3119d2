/* What a character's file keeps in `extras`; see lua/docs/characters.md. */
#include "character/character_internal.h"

#include "base/alloc.h"

int sinew_character_stored_limits(const sinew_character *c, sinew_character_limit *dest,
                                  int capacity) {
  (void)dest;
  (void)capacity;
  return SI_EXPECT(c) ? 0 : 0;
}
