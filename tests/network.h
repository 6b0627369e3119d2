/* A random rig: trees of segments in frames of every kind, DOFs, and a network of all built-in
 * components wired at random. */
#ifndef NETWORK_H
#define NETWORK_H

#include <sinew/sinew.h>

/* NULL when it could not be made, which is printed. */
sinew_rig *network_make(uint32_t seed, int dofs, int components, int segments);
/* Whether two poses of one rig agree in every bit of every output, driven matrix and world matrix.
 */
bool network_same(const sinew_pose *a, const sinew_pose *b);
/* A number made of every bit of every world matrix. */
uint64_t network_digest(const sinew_pose *pose);

#endif
