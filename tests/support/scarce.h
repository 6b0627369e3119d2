/* Memory that runs out: an allocator for tests that allows a number of allocations and then fails.
 */
#ifndef TESTS_SCARCE_H
#define TESTS_SCARCE_H

/* Replaces the engine's allocator; allows `allowed` allocations from now on. Call it again for
 * another number. */
void scarce_memory(long allowed);
/* Restores the default allocator. */
void plenty_of_memory(void);

#endif
