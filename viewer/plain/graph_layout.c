/* The positions of boxes: columns by depth, as in Sugiyama's method. An output that is read beyond
 * the next column passes each column between through a lane, shared by all its readers. Lanes and
 * boxes are ordered by the barycentre of their neighbours and by swapping adjacent ones, then moved
 * to heights that keep wires level: for a given order, least squares with minimum distances is an
 * isotonic regression, solved by pooling adjacent violators. */
#include "plain/graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* a box or a lane, in one column */
typedef struct item {
  int node; /* -1: a lane */
  int layer, place;
  float height, y;
  float key;
} item;

/* between items of adjacent columns; offsets are from the items' tops */
typedef struct link {
  int from, to;
  float from_offset, to_offset;
} link;

typedef struct layout {
  graph *g;
  item *items;
  link *links;
  int item_count, link_count, layer_count;
  int *first;        /* start of each column in `order`, with an entry past the end */
  int *order, *best; /* item indices by column and place */
  /* start of each item in in_links and out_links, with an entry past the end */
  int *in_first, *out_first;
  int *in_links, *out_links; /* link indices */
  /* for each port: the item of its first lane, followed by one per column; -1: none */
  int *lanes;
  float *wanted, *weight, *sum; /* scratch for one column */
  int *pool;
  int *ints; /* memory of the int tables above, except lanes */
  float *floats;
} layout;

static int from_node(const graph *g, const graph_wire *w) { return g->ports[w->from].node; }
static int to_node(const graph *g, const graph_wire *w) { return g->ports[w->to].node; }

static bool stub(const graph_node *n) { return n->role == GRAPH_FROM || n->role == GRAPH_TO; }

/* moves a component with more used outputs than inputs right, next to its readers */
static void pull_right(graph *g, int *ins, int *outs, int *limit) {
  for (int i = g->node_count - 1; i >= 0; i--) {
    graph_node *n = &g->nodes[i];
    if (n->role != GRAPH_COMPONENT) continue;
    ins[i] = outs[i] = 0;
    limit[i] = 1 << 20;
    for (int p = 0; p < n->output_count; p++) outs[i] += g->ports[n->outputs + p].used;
    for (int w = 0; w < g->wire_count; w++) {
      if (to_node(g, &g->wires[w]) == i) ins[i]++;
      const graph_node *reader = &g->nodes[to_node(g, &g->wires[w])];
      if (from_node(g, &g->wires[w]) == i && !stub(reader) && reader->layer - 1 < limit[i])
        limit[i] = reader->layer - 1;
    }
    if (outs[i] > ins[i] && limit[i] < 1 << 20 && limit[i] > n->layer) n->layer = limit[i];
  }
}

/* DOFs at the left, driven segments at the right, components between by depth */
static bool find_layers(graph *g) {
  int last = 0;
  for (int i = 0; i < g->node_count; i++)
    g->nodes[i].layer = g->nodes[i].role == GRAPH_COMPONENT ? 1 : 0;
  /* components are in the order of evaluation, and so are their wires */
  for (int w = 0; w < g->wire_count; w++) {
    graph_node *to = &g->nodes[to_node(g, &g->wires[w])];
    const graph_node *from = &g->nodes[from_node(g, &g->wires[w])];
    if (to->role == GRAPH_COMPONENT && from->layer >= to->layer) to->layer = from->layer + 1;
    if (to->role == GRAPH_COMPONENT && to->layer > last) last = to->layer;
  }
  for (int i = 0; i < g->node_count; i++)
    if (g->nodes[i].role == GRAPH_SEGMENT) g->nodes[i].layer = last + 1;
  int *room = calloc((size_t)g->node_count * 3 + 1, sizeof *room);
  if (!room) return false;
  pull_right(g, room, room + g->node_count, room + 2 * g->node_count);
  free(room);
  for (int w = 0; w < g->wire_count; w++) {
    graph_node *to = &g->nodes[to_node(g, &g->wires[w])];
    graph_node *from = &g->nodes[from_node(g, &g->wires[w])];
    if (from->role == GRAPH_FROM) from->layer = to->layer - 1;
    if (to->role == GRAPH_TO) to->layer = from->layer + 1;
  }
  g->layer_count = 0;
  for (int i = 0; i < g->node_count; i++)
    if (g->nodes[i].layer >= g->layer_count) g->layer_count = g->nodes[i].layer + 1;
  return true;
}

/* the last column that reads a port */
static int reach_of(const graph *g, int port) {
  int reach = 0;
  for (int w = 0; w < g->wire_count; w++)
    if (g->wires[w].from == port && g->nodes[to_node(g, &g->wires[w])].layer > reach)
      reach = g->nodes[to_node(g, &g->wires[w])].layer;
  return reach;
}

static bool make_items(layout *l) {
  const graph *g = l->g;
  l->lanes = malloc(((size_t)g->port_count + 1) * sizeof *l->lanes);
  if (!l->lanes) return false;
  int count = g->node_count;
  for (int p = 0; p < g->port_count; p++) {
    int lanes = g->ports[p].output ? reach_of(g, p) - g->nodes[g->ports[p].node].layer - 1 : 0;
    l->lanes[p] = lanes > 0 ? count : -1;
    if (lanes > 0) count += lanes;
  }
  l->items = calloc((size_t)count + 1, sizeof *l->items);
  if (!l->items) return false;
  for (int i = 0; i < g->node_count; i++)
    l->items[i] = (item){ .node = i, .layer = g->nodes[i].layer, .height = g->nodes[i].height };
  for (int p = 0; p < g->port_count; p++) {
    if (l->lanes[p] < 0) continue;
    int layer = g->nodes[g->ports[p].node].layer, reach = reach_of(g, p);
    for (int k = 0; layer + 1 + k < reach; k++)
      l->items[l->lanes[p] + k] = (item){ .node = -1, .layer = layer + 1 + k, .height = 4 };
  }
  l->item_count = count;
  return true;
}

static void add_link(layout *l, int from, float from_offset, int to, float to_offset) {
  l->links[l->link_count++] = (link){ from, to, from_offset, to_offset };
}

static bool make_links(layout *l) {
  const graph *g = l->g;
  l->links = calloc((size_t)(g->wire_count + l->item_count) + 1, sizeof *l->links);
  if (!l->links) return false;
  for (int p = 0; p < g->port_count; p++) {
    if (l->lanes[p] < 0) continue;
    int layer = g->nodes[g->ports[p].node].layer, reach = reach_of(g, p);
    add_link(l, g->ports[p].node, g->ports[p].offset, l->lanes[p], 2);
    for (int k = 1; layer + 1 + k < reach; k++)
      add_link(l, l->lanes[p] + k - 1, 2, l->lanes[p] + k, 2);
  }
  for (int w = 0; w < g->wire_count; w++) {
    const graph_port *from = &g->ports[g->wires[w].from], *to = &g->ports[g->wires[w].to];
    int apart = g->nodes[to->node].layer - g->nodes[from->node].layer;
    if (apart > 1)
      add_link(l, l->lanes[g->wires[w].from] + apart - 2, 2, to->node, to->offset);
    else
      add_link(l, from->node, from->offset, to->node, to->offset);
  }
  return true;
}

/* lists each item's links on both sides, and the items of each column */
static bool make_tables(layout *l) {
  size_t items = (size_t)l->item_count + 2, links = (size_t)l->link_count + 1;
  int **by_item[] = { &l->in_first, &l->out_first, &l->order, &l->best, &l->pool };
  enum { item_tables = sizeof by_item / sizeof *by_item };
  l->ints = calloc(item_tables * items + 2 * links + (size_t)l->layer_count + 2, sizeof *l->ints);
  l->floats = calloc(3 * items, sizeof *l->floats);
  if (!l->ints || !l->floats) return false;
  for (size_t i = 0; i < item_tables; i++) *by_item[i] = l->ints + i * items;
  l->in_links = l->ints + item_tables * items;
  l->out_links = l->in_links + links;
  l->first = l->out_links + links;
  l->wanted = l->floats;
  l->weight = l->wanted + items;
  l->sum = l->weight + items;
  for (int k = 0; k < l->link_count; k++) {
    l->in_first[l->links[k].to + 1]++;
    l->out_first[l->links[k].from + 1]++;
  }
  for (int i = 0; i < l->item_count; i++) {
    l->in_first[i + 1] += l->in_first[i];
    l->out_first[i + 1] += l->out_first[i];
    l->first[l->items[i].layer + 1]++;
  }
  int *next = l->pool;
  memcpy(next, l->in_first, (size_t)l->item_count * sizeof *next);
  for (int k = 0; k < l->link_count; k++) l->in_links[next[l->links[k].to]++] = k;
  memcpy(next, l->out_first, (size_t)l->item_count * sizeof *next);
  for (int k = 0; k < l->link_count; k++) l->out_links[next[l->links[k].from]++] = k;
  for (int c = 0; c < l->layer_count; c++) l->first[c + 1] += l->first[c];
  memcpy(next, l->first, (size_t)l->layer_count * sizeof *next);
  for (int i = 0; i < l->item_count; i++) {
    l->items[i].place = next[l->items[i].layer] - l->first[l->items[i].layer];
    l->order[next[l->items[i].layer]++] = i;
  }
  return true;
}

/* where a link meets an item: the item's place in the column, plus the port's height as a
 * fraction */
static float meets(const layout *l, int i, float offset) {
  return (float)l->items[i].place + offset / (l->items[i].height + 1);
}

/* crossings, on one side, between the links of an upper and a lower item of a column */
static int pair_crossings(const layout *l, int upper, int lower, bool in) {
  const int *first = in ? l->in_first : l->out_first, *links = in ? l->in_links : l->out_links;
  int found = 0;
  for (int a = first[upper]; a < first[upper + 1]; a++)
    for (int b = first[lower]; b < first[lower + 1]; b++) {
      const link *u = &l->links[links[a]], *v = &l->links[links[b]];
      float above = in ? meets(l, u->from, u->from_offset) : meets(l, u->to, u->to_offset);
      float below = in ? meets(l, v->from, v->from_offset) : meets(l, v->to, v->to_offset);
      found += above > below;
    }
  return found;
}

/* crossings among the links that end at the same item */
static int own_crossings(const layout *l, int i) {
  int found = 0;
  for (int a = l->in_first[i]; a < l->in_first[i + 1]; a++)
    for (int b = a + 1; b < l->in_first[i + 1]; b++) {
      const link *u = &l->links[l->in_links[a]], *v = &l->links[l->in_links[b]];
      float from = meets(l, u->from, u->from_offset) - meets(l, v->from, v->from_offset);
      found += from * (u->to_offset - v->to_offset) < 0;
    }
  return found;
}

static int all_crossings(const layout *l) {
  int found = 0;
  for (int i = 0; i < l->item_count; i++) found += own_crossings(l, i);
  for (int c = 1; c < l->layer_count; c++)
    for (int a = l->first[c]; a < l->first[c + 1]; a++)
      for (int b = a + 1; b < l->first[c + 1]; b++)
        found += pair_crossings(l, l->order[a], l->order[b], true);
  return found;
}

static void place_column(layout *l, int column) {
  for (int k = l->first[column]; k < l->first[column + 1]; k++)
    l->items[l->order[k]].place = k - l->first[column];
}

static float barycentre(const layout *l, int i, bool in) {
  const int *first = in ? l->in_first : l->out_first, *links = in ? l->in_links : l->out_links;
  float sum = 0;
  int count = first[i + 1] - first[i];
  for (int k = first[i]; k < first[i + 1]; k++) {
    const link *m = &l->links[links[k]];
    sum += in ? meets(l, m->from, m->from_offset) - m->to_offset * 1e-4f
              : meets(l, m->to, m->to_offset) - m->from_offset * 1e-4f;
  }
  return count ? sum / (float)count : -1;
}

/* sorts a column by its neighbours on one side; those without any keep their places */
static void sort_column(layout *l, int column, bool in) {
  int from = l->first[column], to = l->first[column + 1], free_count = 0;
  int *sorted = l->pool;
  for (int k = from; k < to; k++) {
    item *t = &l->items[l->order[k]];
    t->key = barycentre(l, l->order[k], in);
    if (t->key >= 0) sorted[free_count++] = l->order[k];
  }
  /* by insertion: stable, and the columns are nearly sorted after the first sweeps */
  for (int k = 1; k < free_count; k++) {
    int moving = sorted[k], at = k;
    for (; at > 0 && l->items[sorted[at - 1]].key > l->items[moving].key; at--)
      sorted[at] = sorted[at - 1];
    sorted[at] = moving;
  }
  int next = 0;
  for (int k = from; k < to; k++)
    if (l->items[l->order[k]].key >= 0) l->order[k] = sorted[next++];
  place_column(l, column);
}

/* swaps neighbours as long as that removes crossings */
static void switch_column(layout *l, int column) {
  for (int pass = 0; pass < 8; pass++) {
    bool better = false;
    for (int k = l->first[column]; k + 1 < l->first[column + 1]; k++) {
      int a = l->order[k], b = l->order[k + 1];
      int now = pair_crossings(l, a, b, true) + pair_crossings(l, a, b, false);
      if (!now || now <= pair_crossings(l, b, a, true) + pair_crossings(l, b, a, false)) continue;
      l->order[k] = b;
      l->order[k + 1] = a;
      l->items[b].place--;
      l->items[a].place++;
      better = true;
    }
    if (!better) return;
  }
}

static void find_order(layout *l) {
  enum { sweeps = 16 };
  int fewest = all_crossings(l);
  memcpy(l->best, l->order, (size_t)l->item_count * sizeof *l->best);
  for (int s = 0; s < sweeps && fewest > 0; s++) {
    bool forward = s % 2 == 0;
    for (int k = 1; k < l->layer_count; k++)
      sort_column(l, forward ? k : l->layer_count - 1 - k, forward);
    if (s > 1) /* the first sweeps sort by barycentres only */
      for (int k = 0; k < l->layer_count; k++)
        switch_column(l, forward ? k : l->layer_count - 1 - k);
    int found = all_crossings(l);
    if (found >= fewest) continue;
    fewest = found;
    memcpy(l->best, l->order, (size_t)l->item_count * sizeof *l->best);
  }
  memcpy(l->order, l->best, (size_t)l->item_count * sizeof *l->best);
  for (int c = 0; c < l->layer_count; c++) place_column(l, c);
  l->g->crossings = fewest;
}

static float gap(const layout *l, int above, int below) {
  const item *a = &l->items[above], *b = &l->items[below];
  if (a->node < 0 || b->node < 0) return a->node < 0 && b->node < 0 ? 5 : 9;
  return stub(&l->g->nodes[a->node]) && stub(&l->g->nodes[b->node]) ? 4 : 12;
}

/* the height at which an item's wires on the given sides would be level */
static float level(const layout *l, int i, bool in, bool out, float *weight) {
  float sum = 0;
  int count = 0;
  for (int side = 0; side < 2; side++) {
    const int *first = side ? l->out_first : l->in_first;
    const int *links = side ? l->out_links : l->in_links;
    if (side ? !out : !in) continue;
    for (int k = first[i]; k < first[i + 1]; k++, count++) {
      const link *m = &l->links[links[k]];
      sum += side ? l->items[m->to].y + m->to_offset - m->from_offset
                  : l->items[m->from].y + m->from_offset - m->to_offset;
    }
  }
  if (!count) {
    *weight = 0.02f;
    return l->items[i].y;
  }
  *weight = l->items[i].node < 0 ? 3 : 1;
  return sum / (float)count;
}

/* moves the items of a column as near to their wanted heights as order and distances allow */
static void settle(layout *l, int column, bool in, bool out) {
  int from = l->first[column], count = l->first[column + 1] - from, pools = 0;
  float under = 0;
  for (int k = 0; k < count; k++) {
    int i = l->order[from + k];
    if (k) {
      int above = l->order[from + k - 1];
      under += l->items[above].height + gap(l, above, i);
    }
    l->sum[k] = under;
    float weight, wanted = level(l, i, in, out, &weight) - under;
    /* a pool's first item, mean and weight */
    l->pool[pools] = k;
    l->wanted[pools] = wanted;
    l->weight[pools++] = weight;
    while (pools > 1 && l->wanted[pools - 2] > l->wanted[pools - 1]) {
      float both = l->weight[pools - 2] + l->weight[pools - 1];
      l->wanted[pools - 2] = (l->wanted[pools - 2] * l->weight[pools - 2] +
                              l->wanted[pools - 1] * l->weight[pools - 1]) /
                             both;
      l->weight[pools - 2] = both;
      pools--;
    }
  }
  for (int p = 0; p < pools; p++)
    for (int k = l->pool[p]; k < (p + 1 < pools ? l->pool[p + 1] : count); k++)
      l->items[l->order[from + k]].y = l->wanted[p] + l->sum[k];
}

static void find_heights(layout *l) {
  for (int c = 0; c < l->layer_count; c++) settle(l, c, false, false);
  for (int s = 0; s < 12; s++) {
    for (int c = 1; c < l->layer_count; c++) settle(l, c, true, s > 5);
    for (int c = l->layer_count - 2; c >= 0; c--) settle(l, c, s > 5, true);
  }
  for (int c = 1; c < l->layer_count; c++) settle(l, c, true, true);
  float top = INFINITY;
  for (int i = 0; i < l->item_count; i++) top = fminf(top, l->items[i].y);
  l->g->height = 0;
  for (int i = 0; i < l->item_count; i++) {
    item *t = &l->items[i];
    t->y = roundf(t->y - top);
    l->g->height = fmaxf(l->g->height, t->y + t->height);
    if (t->node >= 0) l->g->nodes[t->node].y = t->y;
  }
}

/* columns as wide as their widest box, further apart where the wires between them are steep */
static void find_columns(layout *l, float *left, float *right) {
  graph *g = l->g;
  float x = 0;
  for (int c = 0; c < l->layer_count; c++) {
    float widest = 0, steep = 0;
    for (int i = 0; i < g->node_count; i++)
      if (g->nodes[i].layer == c) widest = fmaxf(widest, g->nodes[i].width);
    for (int k = 0; k < l->link_count; k++) {
      const link *m = &l->links[k];
      if (l->items[m->from].layer != c) continue;
      steep = fmaxf(steep,
                    fabsf(l->items[m->from].y + m->from_offset - l->items[m->to].y - m->to_offset));
    }
    left[c] = x;
    right[c] = x + widest;
    float apart = g->brief ? 22 + steep * 0.1f : 32 + steep * 0.18f;
    x = right[c] + roundf(fminf(apart, 120 + g->height * 0.03f));
  }
  g->width = l->layer_count ? right[l->layer_count - 1] : 0;
  for (int i = 0; i < g->node_count; i++) {
    graph_node *n = &g->nodes[i];
    if (!stub(n)) n->width = right[n->layer] - left[n->layer];
    n->x = n->role == GRAPH_FROM ? right[n->layer] - n->width : left[n->layer];
  }
}

static bool draw_wires(layout *l, const float *left, const float *right) {
  graph *g = l->g;
  int count = 0;
  for (int w = 0; w < g->wire_count; w++)
    count +=
        2 * (g->nodes[to_node(g, &g->wires[w])].layer - g->nodes[from_node(g, &g->wires[w])].layer);
  g->points = calloc((size_t)count + 1, sizeof *g->points);
  if (!g->points) return false;
  for (int w = 0; w < g->wire_count; w++) {
    graph_wire *wire = &g->wires[w];
    const graph_port *from = &g->ports[wire->from], *to = &g->ports[wire->to];
    const graph_node *a = &g->nodes[from->node], *b = &g->nodes[to->node];
    wire->points = g->point_count;
    g->points[g->point_count++] = (graph_point){ a->x + a->width, a->y + from->offset };
    for (int c = a->layer + 1; c < b->layer; c++) {
      float y = l->items[l->lanes[wire->from] + c - a->layer - 1].y + 2;
      g->points[g->point_count++] = (graph_point){ left[c], y };
      g->points[g->point_count++] = (graph_point){ right[c], y };
    }
    g->points[g->point_count++] = (graph_point){ b->x, b->y + to->offset };
    wire->point_count = g->point_count - wire->points;
  }
  return true;
}

static void release(layout *l) {
  free(l->items);
  free(l->links);
  free(l->lanes);
  free(l->ints);
  free(l->floats);
}

bool graph_layout(graph *g) {
  layout l = { .g = g };
  if (!find_layers(g)) return false;
  l.layer_count = g->layer_count;
  float *edges = calloc((size_t)l.layer_count * 2 + 1, sizeof *edges);
  bool fine = edges && make_items(&l) && make_links(&l) && make_tables(&l);
  if (fine) {
    find_order(&l);
    find_heights(&l);
    find_columns(&l, edges, edges + l.layer_count);
    fine = draw_wires(&l, edges, edges + l.layer_count);
  }
  free(edges);
  release(&l);
  return fine;
}
