/* Rigs of any size, for measuring how the cost of everything grows with it: `count` components of
 * one class, or of all, on a tree of as many segments with as many DOFs. */
#ifndef NETWORK_GROW_H
#define NETWORK_GROW_H

#include "network.h"

typedef enum network_shape {
  NETWORK_CHAIN, /* each reads the one before */
  NETWORK_FAN,   /* all read the first */
  NETWORK_TREE,  /* a binary tree */
  NETWORK_SHAPES
} network_shape;

extern const char *const network_shape_names[NETWORK_SHAPES];

/* What grows, from 0, and NULL at the end: the catalog's classes and those of network_classes;
 * "all" of them in turn; "bare" segments alone; "joints", each with a set, a DOF, a rotation and a
 * segment; "wide", one product of `count` rotations; "paths", components that see the first segment
 * from all others. */
const char *network_grown(int index);

/* The builder; NULL, with a message printed, if it cannot be made. Fields stay until
 * network_fields_free. */
sinew_builder *network_grow(const char *what, network_shape shape, int count);

#endif
