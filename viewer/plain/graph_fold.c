/* Folding: a component whose outputs all lead into one box is shown in that box, so what prepares a
 * step becomes the box of that step. What stays leads to several boxes, drives a segment or leaves
 * the picture. No cycle can come from it, since a box has its only way out at its last step. */
#include "plain/graph.h"

#include <stdlib.h>

/* the only box that a node leads to, by its last step; -1: none, or other things too */
static int only_box(const graph *g, const int *box, int node) {
  int found = -1;
  for (int w = 0; w < g->wire_count; w++) {
    if (g->ports[g->wires[w].from].node != node) continue;
    int to = box[g->ports[g->wires[w].to].node];
    if (to == found) continue;
    if (found >= 0 || g->nodes[to].role != GRAPH_COMPONENT) return -1;
    found = to;
  }
  return found;
}

/* for each node the last step of the box that it is in: nodes are in the order of evaluation */
static void find_boxes(const graph *g, const graph_text *text, int *box) {
  for (int i = 0; i < g->node_count; i++) box[i] = i;
  for (int i = g->node_count - 1; i >= 0 && text->folded; i--) {
    int last = g->nodes[i].role == GRAPH_COMPONENT ? only_box(g, box, i) : -1;
    if (last >= 0 && (!text->open || !text->open[g->nodes[last].id - 1])) box[i] = last;
  }
}

/* drops nodes that are in another's box, with the wires inside; of several wires between two boxes
 * one stays */
static void join(graph *g, int *box, int *place) {
  int nodes = 0, wires = 0;
  for (int i = 0; i < g->node_count; i++)
    if (box[i] != i) g->nodes[box[i]].folded++;
  for (int i = 0; i < g->node_count; i++)
    if (box[i] == i) place[i] = nodes++;
  for (int i = 0; i < g->port_count; i++) g->ports[i].node = place[box[g->ports[i].node]];
  for (int i = 0; i < g->component_count; i++)
    if (g->node_of[i] >= 0) g->node_of[i] = place[box[g->node_of[i]]];
  for (int i = 0; i < g->node_count; i++)
    if (box[i] == i) g->nodes[place[i]] = g->nodes[i];
  g->node_count = nodes;
  for (int w = 0; w < g->wire_count; w++) {
    int from = g->ports[g->wires[w].from].node, to = g->ports[g->wires[w].to].node;
    bool again = from == to;
    for (int k = 0; k < wires && !again; k++)
      again = g->ports[g->wires[k].from].node == from && g->ports[g->wires[k].to].node == to;
    if (!again) g->wires[wires++] = g->wires[w];
  }
  g->wire_count = wires;
}

bool graph_fold(graph *g, const graph_text *text) {
  int *box = calloc((size_t)g->node_count * 2 + 1, sizeof *box);
  if (!box) return false;
  find_boxes(g, text, box);
  join(g, box, box + g->node_count);
  free(box);
  return true;
}
