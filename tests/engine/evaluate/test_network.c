/* Random networks of all components, evaluated in all ways; see network.h. A network that fails is
 * reduced and printed. `./dev fuzz network` tries many more. */
#include "network.h"

#include "minunit.h"

#include <stdlib.h>

/* false, with a message, if a way differs */
static bool network_right(uint32_t seed, unsigned ways) {
  network_size size = network_any_size(seed);
  network n = network_create(seed, &size);
  network_finding found;
  bool right = network_check(&n, ways, &found);
  if (!right) network_report(&n, &found);
  network_destroy(&n);
  return right;
}

MU_TEST(every_way_of_evaluation_agrees) {
  network_counts before = network_counted;
  int count = mu_rounds(1500);
  for (int i = 0; i < count; i++) {
    /* loading a script takes longer than everything else */
    unsigned ways = i % 6 == 0 ? NETWORK_ALL : NETWORK_ALL & ~NETWORK_LUA;
    MU_CHECK_SAY(network_right(1 + (uint32_t)i, ways), "network %d differs", 1 + i);
  }
  network_fields_free();
  network_counts now = network_counted;
  printf("  %ld poses, %ld characters, %ld edits, %ld scripts, %ld derivatives (%ld kinks)\n",
         now.rows - before.rows, now.batches - before.batches, now.edits - before.edits,
         now.scripts - before.scripts, now.tangents - before.tangents, now.kinks - before.kinks);
  /* otherwise nothing was tested */
  MU_CHECK(now.rows - before.rows > 5L * count && now.edits - before.edits > count);
  MU_CHECK(now.tangents > 5 * now.kinks && now.batches - before.batches > 10L * count);
}

MU_TEST(random_networks_contain_every_component) {
  for (int i = 0; sinew_catalog(i); i++) {
    const char *why = network_cannot_make(sinew_catalog(i));
    MU_CHECK_SAY(!why, "%s", why);
  }
  static const sinew_param_desc params[] = { { .name = "list", .type = SINEW_PARAM_NUMBERS },
                                             { 0 } };
  static const sinew_component_class unknown = { .class_size = sizeof(sinew_component_class),
                                                 .name = "unknown",
                                                 .params = params };
  MU_HAS(network_cannot_make(&unknown), "add a function to `makers`");
}

MU_SUITE(network)
