/* Random graphs of operations, and what they compute: an independent evaluation in doubles, with a
 * bound for what floats may be off. */
#ifndef RANDOM_GRAPH_H
#define RANDOM_GRAPH_H

#include "math/graph.h"

enum { graph_inputs = 4, graph_params = 4, graph_samples = 8 };

typedef struct random_graph {
  si_graph graph;
  si_value outs[12];
  double params[graph_params];
} random_graph;

typedef struct graph_case {
  double inputs[graph_inputs];
} graph_case;

/* a value, how far off floats may be, and the size of the terms that it is a sum of */
typedef struct graph_number {
  double is, off, size;
} graph_number;

/* A number from 0 to 1. */
double graph_random(uint32_t *seed);
graph_case graph_random_case(uint32_t *seed);
/* A graph with results that are finite and below 1000 at some random inputs. */
void graph_random_make(uint32_t *seed, random_graph *dest);
void graph_random_free(random_graph *graph);
/* Its results. False where a comparison or a step is too close to call for floats. */
bool graph_slowly(const random_graph *graph, const graph_case *at, graph_number dest[12]);
/* Its text, to be freed with si_free; inputs are scalars, the result a matrix. */
char *graph_text(const random_graph *graph);

#endif
