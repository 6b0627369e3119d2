/* Drawing the network: wires that bend, boxes with a row for each port, live values. */
#include "plain/value_text.h"
#include "tools/edits/edits.h"
#include "tools/network/network.h"
#include "ui/fonts.h"
#include "ui/icons.h"
#include "ui/theme.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

Color network_color(const sinew_component_class *cls) {
  unsigned c = cls->color, hash = 0;
  if (c) return (Color){ (c >> 16) & 255, (c >> 8) & 255, c & 255, 255 };
  for (const char *name = cls->name; *name; name++) hash = hash * 31 + (unsigned char)*name;
  return ColorFromHSV((float)(hash % 360), 0.4f, 0.58f);
}

Rectangle network_place(const network *n, const graph_node *node, Rectangle r) {
  return (Rectangle){ r.x + n->origin.x + node->x * n->zoom, r.y + n->origin.y + node->y * n->zoom,
                      node->width * n->zoom, node->height * n->zoom };
}

const float *network_value(const state *st, const graph *g, const graph_port *port) {
  const sinew_pose *pose = state_pose(st);
  const graph_node *node = &g->nodes[port->node];
  if (node->role == GRAPH_COMPONENT) {
    sinew_component id = { node->id };
    return port->output ? sinew_pose_value(pose, id, port->index)
                        : sinew_pose_input(pose, id, port->index);
  }
  if (node->role == GRAPH_DOF) return sinew_pose_dofs(pose) + node->id - 1;
  if (node->role == GRAPH_SEGMENT) return sinew_pose_local(pose, (sinew_segment){ node->id });
  if (node->role == GRAPH_FROM && node->dof) return sinew_pose_dofs(pose) + node->dof - 1;
  if (node->role == GRAPH_FROM)
    return sinew_pose_value(pose, (sinew_component){ node->id }, port->index);
  /* an outgoing stub shows the value of the port that its wire comes from */
  for (int w = 0; w < g->wire_count; w++)
    if (&g->ports[g->wires[w].to] == port) return network_value(st, g, &g->ports[g->wires[w].from]);
  return NULL;
}

const sinew_port_desc *network_port(const state *st, const graph *g, const graph_port *port) {
  const graph_node *node = &g->nodes[port->node];
  if (node->role != GRAPH_COMPONENT) return NULL;
  const sinew_component_class *cls =
      sinew_rig_component_info(state_rig(st), (sinew_component){ node->id }).component_class;
  return graph_port_desc(port->output ? cls->outputs : cls->inputs, port->index);
}

const char *network_unit(const state *st, const graph *g, const graph_port *port) {
  const graph_node *node = &g->nodes[port->node];
  const sinew_port_desc *desc = network_port(st, g, port);
  sinew_dof dof = { node->role == GRAPH_DOF ? node->id : node->role == GRAPH_FROM ? node->dof : 0 };
  if (!dof.id) return desc ? desc->unit : NULL;
  sinew_dof_info info = sinew_rig_dof_info(state_rig(st), dof);
  return value_unit(info.unit, info.min, info.max);
}

const sinew_hold *network_hold(const network *n, const graph_node *node, const char *port) {
  for (int i = 0; i < n->hold_count; i++) {
    const sinew_hold *h = &n->holds[i];
    bool own = (node->role == GRAPH_DOF && h->dof.id == node->id) ||
               (node->role == GRAPH_COMPONENT && h->component.id == node->id);
    if (own && (!port || !*h->port || strcmp(h->port, port) == 0)) return h;
  }
  return NULL;
}

/* an output is held if a hold names it or an input of its component */
static bool port_held(const network *n, const graph_port *port) {
  const graph_node *node = &n->g->nodes[port->node];
  if (network_hold(n, node, port->name)) return true;
  if (!port->output || !network_hold(n, node, NULL)) return false;
  for (int i = 0; i < node->output_count; i++)
    if (network_hold(n, node, n->g->ports[node->outputs + i].name)) return false;
  return true;
}

static void text(const char *s, float x, float middle, int size, Color color) {
  font_draw(s, (Vector2){ x, middle - (float)size / 2 }, (float)size, color);
}

static void text_in(const char *s, float x, float middle, float width, int size, Color color) {
  font_draw_cut(s, (Vector2){ x, middle - (float)size / 2 }, width, (float)size, color);
}

/* a name in a box without rows: if there is room, in several lines, broken after underscores */
static void text_wrapped(const char *s, Rectangle box, Color color) {
  enum { most = 4, size = 9 };
  char lines[most][64];
  int count = 0, room = (int)(box.height / (size + 1));
  float width = box.width - 4;
  if (room < 1) return;
  for (const char *at = s; *at && count < most; count++) {
    size_t take = 0;
    for (size_t i = 0; i <= strlen(at) && i + 1 < sizeof lines[0]; i++) {
      if (at[i] && at[i] != '_') continue;
      size_t upto = at[i] ? i + 1 : i;
      snprintf(lines[count], sizeof lines[count], "%.*s", (int)upto, at);
      if (take && font_width(lines[count], size) > width) break;
      take = upto;
    }
    if (!take || count + 1 == room || count + 1 == most) take = strlen(at);
    snprintf(lines[count], sizeof lines[count], "%.*s", (int)take, at);
    at += take;
  }
  float y = box.y + box.height / 2 - (float)(size + 1) * (float)(count - 1) / 2;
  for (int i = 0; i < count; i++, y += size + 1)
    text_in(lines[i], box.x + 3, y, width, size, color);
}

/* the font size for a height at zoom 1: 0 below zoom 0.5, but never too small to read */
static int font_size(const network *n, float height) {
  int size = (int)roundf(height * n->zoom);
  return n->zoom < 0.5f ? 0 : size < 8 ? 8 : size;
}

static Color faded(Color c, bool dim) { return dim ? ColorLerp(c, theme_window, 0.7f) : c; }

static bool dimmed(const network *n, int node) { return n->any_lit && !n->lit[node]; }

static void draw_bend(graph_point from, graph_point to, float thick, Color color) {
  enum { most = 24 };
  Vector2 line[most + 1];
  float length = fabsf(to.y - from.y) + to.x - from.x;
  int steps = fabsf(to.y - from.y) < 0.5f ? 1 : (int)fmaxf(2, fminf(length / 7, most));
  for (int i = 0; i <= steps; i++) {
    float t = (float)i / (float)steps;
    graph_point at = graph_between(from, to, t);
    line[i] = (Vector2){ at.x, at.y };
  }
  icon_line(line, steps + 1, thick, color);
}

static void draw_wire(const network *n, Rectangle r, int index, float thick, Color color) {
  const graph_wire *w = &n->g->wires[index];
  const graph_point *p = n->g->points + w->points;
  for (int i = 0; i + 1 < w->point_count; i++) {
    graph_point from = { r.x + n->origin.x + p[i].x * n->zoom,
                         r.y + n->origin.y + p[i].y * n->zoom };
    graph_point to = { r.x + n->origin.x + p[i + 1].x * n->zoom,
                       r.y + n->origin.y + p[i + 1].y * n->zoom };
    bool seen = to.x >= r.x && from.x <= r.x + r.width && fmaxf(from.y, to.y) >= r.y &&
                fminf(from.y, to.y) <= r.y + r.height;
    if (seen) draw_bend(from, to, thick, color);
  }
}

static void draw_wires(const network *n, Rectangle r, bool lit) {
  for (int i = 0; i < n->g->wire_count; i++) {
    const graph_port *from = &n->g->ports[n->g->wires[i].from];
    const graph_port *to = &n->g->ports[n->g->wires[i].to];
    bool dim = dimmed(n, to->node) || dimmed(n, from->node);
    bool hot = i == n->hot_wire || (n->hot_port >= 0 && (n->hot_port == n->g->wires[i].from ||
                                                         n->hot_port == n->g->wires[i].to));
    if ((hot || !dim) != lit) continue;
    Color color = port_held(n, from) ? theme_held : theme_wires[from->kind];
    float thick = fmaxf((from->kind == SINEW_MATRIX ? 2.4f : 1.6f) * n->zoom, 1.2f);
    draw_wire(n, r, i, hot ? thick + 1.5f : thick, hot ? theme_text : faded(color, dim));
  }
}

static void draw_port(network *n, const state *st, const graph_port *port, Rectangle box,
                      bool dim) {
  const graph_node *node = &n->g->nodes[port->node];
  bool held = port_held(n, port), hot = n->hot_port >= 0 && port == &n->g->ports[n->hot_port];
  float y = box.y + port->offset * n->zoom, pad = graph_pad * n->zoom, row = graph_row * n->zoom;
  float left = box.x, right = box.x + box.width;
  int size = font_size(n, 12.5f);
  Color dot = held ? theme_held : theme_wires[port->kind];
  if (n->g->wide && node->input_count && port->output) left += box.width * 0.5f;
  if (n->g->wide && node->input_count && !port->output) right -= box.width * 0.5f;
  if (hot) DrawRectangleRec((Rectangle){ left, y - row / 2, right - left, row }, theme_hover);
  if (port->used)
    icon_draw(ICON_DISC, (Vector2){ port->output ? box.x + box.width : box.x, y },
              2 * fmaxf(2, 3.6f * n->zoom), faded(dot, dim));
  if (!size) return;
  char value[160];
  value_short(port->kind, network_value(st, n->g, port), network_unit(st, n->g, port), value,
              sizeof value);
  float wide = font_width(value, size), name_wide = 0;
  Color ink = held ? theme_held : port->output ? theme_text : theme_second;
  bool named = !port->output || node->output_count > 1;
  if (named) name_wide = font_width(port->name, size) + pad;
  if (n->g->wide && port->output) left = fmaxf(left, right - 2 * pad - wide - name_wide - 2);
  if (named)
    text_in(port->name, left + pad, y, right - left - wide - 3 * pad, size,
            faded(theme_second, dim));
  if (n->g->wide && !port->output)
    text(value, left + pad + name_wide, y, size, faded(ink, dim));
  else
    text(value, right - pad - wide, y, size, faded(ink, dim));
}

/* a box too small for text */
static bool draw_speck(const state *st, const network *n, int index, Rectangle box) {
  const graph_node *node = &n->g->nodes[index];
  Color color = node->role == GRAPH_DOF ? theme_dof : theme_bone_box;
  if (box.height >= 8) return false;
  if (node->role == GRAPH_FROM || node->role == GRAPH_TO) return true;
  if (node->role == GRAPH_COMPONENT)
    color = network_color(
        sinew_rig_component_info(state_rig(st), (sinew_component){ node->id }).component_class);
  if (network_hold(n, node, NULL)) color = theme_held;
  DrawRectangleRec(box, faded(color, dimmed(n, index)));
  return true;
}

static void draw_component(network *n, state *st, int index, Rectangle box) {
  const graph_node *node = &n->g->nodes[index];
  sinew_component id = { node->id };
  sinew_component_info info = sinew_rig_component_info(state_rig(st), id);
  bool dim = dimmed(n, index), held = network_hold(n, node, NULL);
  bool chosen = st->selected.component.id == node->id;
  Color color = network_color(info.component_class);
  float round = fminf(6 * n->zoom, 6), head = graph_head * n->zoom;
  int size = font_size(n, 13);
  bool small = !size;
  Rectangle top = { box.x, box.y, box.width, small ? box.height : head };
  icon_box(box, round, faded(small ? color : theme_box, dim));
  if (!small) {
    icon_box(top, round, faded(color, dim));
    DrawRectangleRec((Rectangle){ top.x, top.y + top.height - round, top.width, round },
                     faded(color, dim));
  }
  if (small && box.width > 24)
    text_wrapped(node->label, box, faded(theme_text, dim));
  else if (!small)
    text_in(node->label, box.x + graph_pad * n->zoom, top.y + top.height / 2,
            box.width - 2 * graph_pad * n->zoom, size, faded(theme_text, dim));
  if (!small)
    for (int i = 0; i < node->input_count + node->output_count; i++)
      draw_port(n, st, &n->g->ports[node->inputs + i], box, dim);
  bool edited = edits_find(st, edits_of_component(id), NULL) != NULL;
  Color line = n->any_lit && !dim ? ColorBrightness(color, 0.35f) : BLANK;
  if (edited) line = theme_action;
  if (held) line = theme_held;
  if (chosen) line = theme_selected;
  if (line.a) icon_outline(box, round, chosen ? 2.0f : 1.2f, faded(line, dim && !chosen));
}

static void draw_pill(network *n, state *st, int index, Rectangle box) {
  const graph_node *node = &n->g->nodes[index];
  bool stub = node->role == GRAPH_FROM || node->role == GRAPH_TO, dim = dimmed(n, index);
  bool held = node->role == GRAPH_DOF && network_hold(n, node, NULL);
  bool picked = node->role == GRAPH_SEGMENT && node->id == st->selected.segment.id;
  const graph_port *port = &n->g->ports[node->inputs];
  int size = font_size(n, stub ? 11.5f : 13);
  float pad = graph_pad * n->zoom * (stub ? 1 : 1.3f), middle = box.y + box.height / 2;
  Color fill = node->role == GRAPH_DOF ? theme_dof : theme_bone_box;
  Color ink = node->role == GRAPH_DOF ? theme_dof_text : stub ? theme_second : theme_on_light;
  float round = 0.45f * box.height;
  if (stub)
    icon_outline(box, round, 1, faded(theme_hover, dim));
  else
    icon_box(box, round, faded(fill, dim));
  if (picked || held) icon_outline(box, round, 2, picked ? theme_selected : theme_held);
  if (index == n->hot_node) icon_outline(box, round, 1.5f, theme_text);
  float value_wide = 0;
  if (node->role == GRAPH_DOF && size) {
    char value[64];
    value_short(SINEW_SCALAR, network_value(st, n->g, port), network_unit(st, n->g, port), value,
                sizeof value);
    value_wide = font_width(value, size) + pad;
    text(value, box.x + box.width - value_wide, middle, size,
         faded(held ? theme_held : theme_text, dim));
  }
  if (size || box.width > 24)
    text_in(node->label, box.x + pad, middle, box.width - value_wide - 2 * pad, size ? size : 9,
            faded(ink, dim));
  if (!stub)
    icon_draw(ICON_DISC, (Vector2){ port->output ? box.x + box.width : box.x, middle },
              2 * fmaxf(2, 3.6f * n->zoom),
              faded(held ? theme_held : theme_wires[port->kind], dim));
}

static void draw_blocks(const network *n, Rectangle r) {
  for (int i = 0; i < n->g->block_count; i++) {
    const graph_block *b = &n->g->blocks[i];
    Rectangle box = { r.x + n->origin.x + b->x * n->zoom, r.y + n->origin.y + b->y * n->zoom,
                      b->width * n->zoom, b->height * n->zoom };
    float title = graph_title * n->zoom;
    if (!CheckCollisionRecs(box, r)) continue;
    icon_box(box, 8 * n->zoom, theme_panel);
    int size = (int)fmaxf(roundf(15 * n->zoom), 10);
    if (title >= 3)
      text_in(b->name, box.x + 4, box.y + fmaxf(title / 2, 6), box.width - 8, size, theme_text);
  }
}

void network_draw(state *st, network *n, Rectangle r) {
  DrawRectangleRec(r, theme_window);
  draw_blocks(n, r);
  draw_wires(n, r, false);
  draw_wires(n, r, true);
  for (int i = 0; i < n->g->node_count; i++) {
    Rectangle box = network_place(n, &n->g->nodes[i], r);
    if (!CheckCollisionRecs(box, r)) continue;
    if (draw_speck(st, n, i, box)) continue;
    if (n->g->nodes[i].role == GRAPH_COMPONENT)
      draw_component(n, st, i, box);
    else
      draw_pill(n, st, i, box);
  }
}
