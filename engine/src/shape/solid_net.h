/* The triangles of a surface net, and what must be mended in them. */
#ifndef SI_SOLID_NET_H
#define SI_SOLID_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct si_net {
  float *vertices;
  bool *doubtful; /* of a vertex: the net may touch itself there */
  uint32_t *triangles;
  int vertex_count, triangle_count;
  size_t vertex_room, doubt_room, triangle_room;
} si_net;

/* All return false if memory runs out. */
bool si_net_vertex(si_net *net, const float p[3], bool doubtful);
/* Two triangles, along the shorter diagonal. */
bool si_net_quad(si_net *net, const int corners[4]);
/* Makes every edge have two triangles and every vertex one fan of them, and removes closed
 * surfaces around hollows, which nobody sees. */
bool si_net_mend(si_net *net);
/* Fewer triangles, within the tolerance; vertices that nothing uses go. */
bool si_net_simplify(si_net *net, float tolerance);
void si_net_free(si_net *net);

#endif
