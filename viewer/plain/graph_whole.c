/* The whole rig: the picture of each joint set as a block, packed into columns. Wires between joint
 * sets end in stubs. */
#include "plain/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct part {
  graph *g;
  const char *name;
} part;

static const float margin = 16, apart = 24;

static void copy_part(graph *dest, const graph *g, float x, float y) {
  for (int i = 0; i < g->node_count; i++) {
    graph_node *n = &dest->nodes[dest->node_count + i];
    *n = g->nodes[i];
    n->x += x;
    n->y += y;
    n->inputs += dest->port_count;
    n->outputs += dest->port_count;
  }
  for (int i = 0; i < g->port_count; i++) {
    dest->ports[dest->port_count + i] = g->ports[i];
    dest->ports[dest->port_count + i].node += dest->node_count;
  }
  for (int i = 0; i < g->wire_count; i++) {
    graph_wire *w = &dest->wires[dest->wire_count + i];
    *w = g->wires[i];
    w->from += dest->port_count;
    w->to += dest->port_count;
    w->points += dest->point_count;
  }
  for (int i = 0; i < g->point_count; i++)
    dest->points[dest->point_count + i] = (graph_point){ g->points[i].x + x, g->points[i].y + y };
  dest->node_count += g->node_count;
  dest->port_count += g->port_count;
  dest->wire_count += g->wire_count;
  dest->point_count += g->point_count;
  dest->crossings += g->crossings;
  if (g->layer_count > dest->layer_count) dest->layer_count = g->layer_count;
}

static bool make_room(graph *dest, const part *parts, int count) {
  size_t nodes = 1, ports = 1, wires = 1, points = 1;
  for (int i = 0; i < count; i++) {
    nodes += (size_t)parts[i].g->node_count;
    ports += (size_t)parts[i].g->port_count;
    wires += (size_t)parts[i].g->wire_count;
    points += (size_t)parts[i].g->point_count;
  }
  dest->nodes = malloc(nodes * sizeof *dest->nodes);
  dest->ports = malloc(ports * sizeof *dest->ports);
  dest->wires = malloc(wires * sizeof *dest->wires);
  dest->points = malloc(points * sizeof *dest->points);
  dest->blocks = malloc(((size_t)count + 1) * sizeof *dest->blocks);
  return dest->nodes && dest->ports && dest->wires && dest->points && dest->blocks;
}

/* columns at least as high as the highest block, for a picture about twice as wide as high */
static void pack(graph *dest, const part *parts, int count) {
  float area = 0, high = 0, x = 0, y = 0, wide = 0;
  for (int i = 0; i < count; i++) {
    float height = parts[i].g->height + graph_title + 2 * margin + apart;
    area += (parts[i].g->width + 2 * margin + apart) * height;
    high = fmaxf(high, height);
  }
  high = fmaxf(high, sqrtf(area / 2));
  for (int i = 0; i < count; i++) {
    const graph *g = parts[i].g;
    graph_block b = { .name = parts[i].name,
                      .width = g->width + 2 * margin,
                      .height = g->height + graph_title + 2 * margin };
    if (y > 0 && y + b.height > high) {
      x += wide + apart;
      y = wide = 0;
    }
    b.x = x;
    b.y = y;
    copy_part(dest, g, x + margin, y + margin + graph_title);
    dest->blocks[dest->block_count++] = b;
    dest->width = fmaxf(dest->width, x + b.width);
    dest->height = fmaxf(dest->height, y + b.height);
    wide = fmaxf(wide, b.width);
    y += b.height + apart;
  }
}

graph *graph_whole(const sinew_rig *rig, const graph_text *text) {
  int sets = sinew_rig_joint_set_count(rig), count = 0;
  part *parts = calloc((size_t)sets + 1, sizeof *parts);
  graph *whole = calloc(1, sizeof *whole);
  bool fine = parts && whole;
  for (int set = 0; fine && set <= sets; set++) {
    /* what is in no joint set comes last */
    sinew_joint_set id = sinew_rig_joint_set(rig, set);
    graph *g = graph_create(rig, (int)id.id, text);
    fine = g != NULL;
    if (fine && g->node_count)
      parts[count++] = (part){ g, id.id ? sinew_rig_joint_set_name(rig, id) : "in no joint set" };
    else
      graph_destroy(g);
  }
  if (fine) fine = make_room(whole, parts, count);
  if (fine) {
    whole->set = GRAPH_ALL;
    whole->wide = text->wide;
    pack(whole, parts, count);
  }
  for (int i = 0; i < count; i++) graph_destroy(parts[i].g);
  free(parts);
  if (fine) return whole;
  graph_destroy(whole);
  return NULL;
}
