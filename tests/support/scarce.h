/* Memory that runs out: an allocator for tests that allows a number of allocations and then fails.
 */
#ifndef TESTS_SCARCE_H
#define TESTS_SCARCE_H

/* Takes the engine's allocator over, with `allowed` allocations from now on; call it again for
 * another number. */
void scarce_memory(long allowed);
/* Gives the default allocator back. */
void plenty_of_memory(void);

#endif
