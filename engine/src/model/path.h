/* The way from one segment to another through the tree, for components that read the frame of one
 * segment as seen from another (SINEW_PARAM_PATH). It leads up from the base to the nearest common
 * ancestor, then down; without a common ancestor it leads over the world. The frame is
 *
 *   F = K0 D1 K1 D2 ... Dn Kn
 *
 * with a D for each driven segment on the way: on the way up the inverse of its driven matrix, on
 * the way down the matrix itself. The constants K are products of rest frames and of their
 * inverses. The D are inputs of the component that the compiler wires, after those of the class's
 * table. */
#ifndef SI_PATH_H
#define SI_PATH_H

#include "model/model.h"

/* A constant of a path. */
typedef struct si_link {
  _Alignas(16) float m[16];
  bool moves; /* it is not the identity */
} si_link;

typedef struct si_path {
  uint32_t first; /* its first input */
  uint32_t count; /* its inputs, one for each driven segment */
  uint32_t up;    /* the first of these are inverted */
} si_path;

/* Of each segment, and of the world before the first, while a rig is compiled: with it a question
 * about the way between two segments costs little more than its answer. */
typedef struct si_way {
  uint32_t depth;        /* segments above it, and itself */
  uint32_t jump;         /* a segment above it, for jumps of doubling lengths */
  uint32_t driven;       /* the nearest driven one, itself included; 0: none */
  uint32_t driven_count; /* those above it, and itself */
  double world[16];      /* the product of the rest frames */
} si_way;
/* Needs the parents and whether segments are driven. False when memory runs out. */
bool si_ways_make(const si_model *model, si_index *dest);

/* The nearest common ancestor of two segments, or one that is above the other; 0: the world. */
uint32_t si_path_top(const si_model *model, uint32_t a, uint32_t b);
/* The nearest driven segment from `segment` up to below `top`, which is above it; 0: none. */
uint32_t si_path_driven(const si_model *model, uint32_t segment, uint32_t top);
/* How many there are. */
uint32_t si_path_driven_count(const si_model *model, uint32_t segment, uint32_t top);
/* The product of the rest frames from below `top` down to `segment`; and whether they are so many
 * that it is made of their places in the world. */
bool si_path_is_long(const si_model *model, uint32_t top, uint32_t segment);
void si_path_rests(const si_model *model, uint32_t top, uint32_t segment, float dest[16]);

/* The number of inputs that the compiler adds to a component; its class and the tree must be
 * known. */
uint32_t si_path_inputs(const si_model *model, const si_component *component);
/* Wires these inputs to what drives the segments; the drivers must be resolved. */
void si_path_wire(const si_model *model, si_component *component);
/* The segment whose driven matrix is at such an input; 0 for any other input. */
uint32_t si_path_segment(const si_model *model, const si_component *component, uint32_t input);

/* The name of the input of such a path, in messages and pictures. */
extern const sinew_port_desc si_path_port;

/* For setup: the path of a parameter marked SINEW_PARAM_PATH. `links` receives its count + 1
 * constants; NULL: they are not wanted. */
si_path si_path_of(const sinew_setup *setup, const char *param, si_link *links);
/* The frame with every driven matrix at the identity: 16 doubles, column-major. */
void si_path_rest(const si_path *path, const si_link *links, double *dest);
/* A direction of the base's frame, in the frame of the path's end at rest. */
void si_path_back(const si_path *path, const si_link *links, const double *v, double *dest);

#endif
