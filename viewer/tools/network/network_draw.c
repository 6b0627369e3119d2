/* Drawing the network: wires that bend, boxes with a row for each port, live values. */
#include "plain/side.h"
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
  sinew_component id = { port->component };
  if (port->dof) return sinew_pose_dofs(pose) + port->dof - 1;
  if (!id.id) return sinew_pose_local(pose, (sinew_segment){ node->id });
  bool input = !port->output && node->role == GRAPH_COMPONENT;
  return input ? sinew_pose_input(pose, id, port->index) : sinew_pose_value(pose, id, port->index);
}

const sinew_port_desc *network_port(const state *st, const graph *g, const graph_port *port) {
  if (!port->component) return NULL;
  const sinew_component_class *cls =
      sinew_rig_component_info(state_rig(st), (sinew_component){ port->component }).component_class;
  bool input = !port->output && g->nodes[port->node].role == GRAPH_COMPONENT;
  return graph_port_desc(input ? cls->inputs : cls->outputs, port->index);
}

const char *network_unit(const state *st, const graph *g, const graph_port *port) {
  const sinew_port_desc *desc = network_port(st, g, port);
  if (!port->dof) return desc ? desc->unit : NULL;
  sinew_dof_info info = sinew_rig_dof_info(state_rig(st), (sinew_dof){ port->dof });
  return value_unit(info.unit, info.min, info.max);
}

const sinew_hold *network_hold(const state *st, const network *n, const graph_node *node,
                               const char *port) {
  const sinew_rig *rig = state_rig(st);
  for (int i = 0; i < n->hold_count; i++) {
    const sinew_hold *h = &n->holds[i];
    bool own = node->role == GRAPH_DOF && h->dof.id == node->id;
    if (node->role == GRAPH_COMPONENT && h->component.id)
      own = graph_find(n->g, GRAPH_COMPONENT, h->component.id) == (int)(node - n->g->nodes);
    if (node->role == GRAPH_GROUP && h->component.id)
      own = sinew_rig_component_info(rig, h->component).joint_set.id == node->id;
    if (own && (!port || !*h->port || strcmp(h->port, port) == 0)) return h;
  }
  return NULL;
}

/* an output is held if a hold names it or an input of its component */
static bool port_held(const state *st, const network *n, const graph_port *port) {
  const graph_node *node = &n->g->nodes[port->node];
  if (network_hold(st, n, node, port->name)) return true;
  if (!port->output || !network_hold(st, n, node, NULL)) return false;
  for (int i = 0; i < node->output_count; i++)
    if (network_hold(st, n, node, n->g->ports[node->outputs + i].name)) return false;
  return true;
}

static void text(const char *s, float x, float middle, int size, Color color) {
  font_draw(s, (Vector2){ x, middle - (float)size / 2 }, (float)size, color);
}

static void text_in(const char *s, float x, float middle, float width, int size, Color color) {
  font_draw_cut(s, (Vector2){ x, middle - (float)size / 2 }, width, (float)size, color);
}

/* the size of text in the picture: never too small to read */
static int font_size(const network *n) {
  return (int)fmaxf(floorf(theme_body * n->zoom + 0.1f), network_text * n->scale);
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

static void draw_wires(const state *st, const network *n, Rectangle r, bool lit) {
  for (int i = 0; i < n->g->wire_count; i++) {
    const graph_port *from = &n->g->ports[n->g->wires[i].from];
    const graph_port *to = &n->g->ports[n->g->wires[i].to];
    bool dim = dimmed(n, to->node) || dimmed(n, from->node);
    bool hot = i == n->hot_wire || (n->hot_port >= 0 && (n->hot_port == n->g->wires[i].from ||
                                                         n->hot_port == n->g->wires[i].to));
    if ((hot || !dim) != lit) continue;
    Color color = port_held(st, n, from) ? theme_held : theme_wires[from->kind];
    float thick = fmaxf((from->kind == SINEW_MATRIX ? 2.4f : 1.6f) * n->zoom, 1.2f);
    draw_wire(n, r, i, hot ? thick + 1.5f : thick, hot ? theme_text : faded(color, dim));
  }
}

static void draw_port(network *n, const state *st, const graph_port *port, Rectangle box,
                      bool dim) {
  const graph_node *node = &n->g->nodes[port->node];
  bool held = port_held(st, n, port), hot = n->hot_port >= 0 && port == &n->g->ports[n->hot_port];
  float y = box.y + port->offset * n->zoom, pad = graph_pad * n->zoom, row = graph_row * n->zoom;
  float left = box.x, right = box.x + box.width;
  int size = font_size(n);
  Color dot = held ? theme_held : theme_wires[port->kind];
  if (n->g->wide && node->input_count && port->output) left += box.width * 0.5f;
  if (n->g->wide && node->input_count && !port->output) right -= box.width * 0.5f;
  if (hot) DrawRectangleRec((Rectangle){ left, y - row / 2, right - left, row }, theme_hover);
  if (port->used)
    icon_draw(ICON_DISC, (Vector2){ port->output ? box.x + box.width : box.x, y },
              2 * fmaxf(2, 3.6f * n->zoom), faded(dot, dim));
  char value[160];
  value_short(port->kind, network_value(st, n->g, port), network_unit(st, n->g, port), value,
              sizeof value);
  float wide = font_width(value, (float)size), name_wide = 0;
  Color ink = held ? theme_held : port->output ? theme_text : theme_second;
  bool named = !port->output || node->output_count > 1;
  if (named) name_wide = font_width(port->name, (float)size) + pad;
  if (n->g->wide && port->output) left = fmaxf(left, right - 2 * pad - wide - name_wide - 2);
  if (named)
    text_in(port->name, left + pad, y, right - left - wide - 3 * pad, size,
            faded(theme_second, dim));
  if (n->g->wide && !port->output)
    text(value, left + pad + name_wide, y, size, faded(ink, dim));
  else
    text(value, right - pad - wide, y, size, faded(ink, dim));
}

/* what a box of one line shows: its first output; of a matrix the angle, or else the way */
static void brief_value(const state *st, const network *n, const graph_node *node, char *dest,
                        size_t capacity) {
  const graph_port *p = &n->g->ports[node->outputs];
  *dest = '\0';
  if (!node->output_count) return;
  const float *value = network_value(st, n->g, p);
  float axis[3];
  if (!value) return;
  if (p->kind == SINEW_SCALAR)
    value_short(p->kind, value, network_unit(st, n->g, p), dest, capacity);
  else if (p->kind == SINEW_VECTOR)
    value_number(hypotf(hypotf(value[0], value[1]), value[2]), NULL, dest, capacity);
  else if (value_rotation(value, axis) < 0.05f &&
           hypotf(value[12], hypotf(value[13], value[14])) > 0)
    value_number(hypotf(value[12], hypotf(value[13], value[14])), "m", dest, capacity);
  else
    value_number(value_rotation(value, axis), "deg", dest, capacity);
}

/* a box's outline: selected, else held, else changed, else lit */
static void draw_outline(const state *st, const network *n, int index, Rectangle box, float round,
                         Color lit) {
  const graph_node *node = &n->g->nodes[index];
  bool dim = dimmed(n, index), chosen = network_selected(st, n, node);
  bool edited = node->role == GRAPH_COMPONENT &&
                edits_find(st, edits_of_component((sinew_component){ node->id }), NULL);
  Color line = n->any_lit && !dim ? lit : BLANK;
  if (index == n->hot_node) line = theme_second;
  if (edited) line = theme_action;
  if (network_hold(st, n, node, NULL)) line = theme_held;
  if (chosen) line = theme_selected;
  if (line.a) icon_outline(box, round, chosen ? 2.0f : 1.2f, faded(line, dim && !chosen));
}

static void draw_component(network *n, state *st, int index, Rectangle box) {
  const graph_node *node = &n->g->nodes[index];
  sinew_component_info info =
      sinew_rig_component_info(state_rig(st), (sinew_component){ node->id });
  bool dim = dimmed(n, index), brief = n->g->brief, held = network_hold(st, n, node, NULL);
  Color color = network_color(info.component_class);
  float round = fminf(6 * n->zoom, 6), head = graph_head * n->zoom, pad = graph_pad * n->zoom;
  int size = font_size(n);
  Rectangle top = { box.x, box.y, box.width, brief ? box.height : head };
  char text_of[240], value[64] = "";
  if (node->folded)
    snprintf(text_of, sizeof text_of, "%s +%d", node->label, node->folded);
  else
    snprintf(text_of, sizeof text_of, "%s", node->label);
  if (brief) brief_value(st, n, node, value, sizeof value);
  float wide = *value ? font_width(value, (float)size) + pad : 0, middle = top.y + top.height / 2;
  if (brief && node->folded) { /* a second sheet behind it */
    Rectangle behind = { box.x + 3, box.y + 3, box.width, box.height };
    icon_box(behind, round, faded(ColorBrightness(color, -0.45f), dim));
  }
  icon_box(box, round, faded(brief ? color : theme_box, dim));
  if (!brief) {
    icon_box(top, round, faded(color, dim));
    DrawRectangleRec((Rectangle){ top.x, top.y + top.height - round, top.width, round },
                     faded(color, dim));
  }
  text_in(text_of, box.x + pad, middle, box.width - 2 * pad - wide, size, faded(theme_text, dim));
  if (*value)
    text(value, box.x + box.width - wide, middle, size, faded(held ? theme_held : theme_text, dim));
  for (int i = 0; i < node->input_count + node->output_count && !brief; i++)
    draw_port(n, st, &n->g->ports[node->inputs + i], box, dim);
  draw_outline(st, n, index, box, round, ColorBrightness(color, 0.35f));
}

static void draw_pill(network *n, state *st, int index, Rectangle box) {
  const graph_node *node = &n->g->nodes[index];
  bool stub = node->role == GRAPH_FROM || node->role == GRAPH_TO, dim = dimmed(n, index);
  bool held = node->role == GRAPH_DOF && network_hold(st, n, node, NULL);
  const graph_port *port = &n->g->ports[node->inputs];
  int size = font_size(n);
  float pad = graph_pad * n->zoom * (stub ? 1 : 1.3f), middle = box.y + box.height / 2;
  Color fill = node->role == GRAPH_DOF ? theme_dof : theme_bone_box;
  Color ink = node->role == GRAPH_DOF ? theme_dof_text : stub ? theme_second : theme_on_light;
  float round = 0.45f * box.height;
  if (stub)
    icon_outline(box, round, 1, faded(theme_hover, dim));
  else
    icon_box(box, round, faded(fill, dim));
  draw_outline(st, n, index, box, round, BLANK);
  float value_wide = 0;
  if (node->role == GRAPH_DOF) {
    char value[64];
    value_short(SINEW_SCALAR, network_value(st, n->g, port), network_unit(st, n->g, port), value,
                sizeof value);
    value_wide = font_width(value, (float)size) + pad;
    text(value, box.x + box.width - value_wide, middle, size,
         faded(held ? theme_held : theme_text, dim));
  }
  text_in(node->label, box.x + pad, middle, box.width - value_wide - 2 * pad, size,
          faded(ink, dim));
  if (!stub)
    icon_draw(ICON_DISC, (Vector2){ port->output ? box.x + box.width : box.x, middle },
              2 * fmaxf(2, 3.6f * n->zoom),
              faded(held ? theme_held : theme_wires[port->kind], dim));
}

/* a joint set: its name and the number of its DOFs, then the first of them with their values */
static void draw_group(network *n, state *st, int index, Rectangle box) {
  const graph_node *node = &n->g->nodes[index];
  bool dim = dimmed(n, index);
  float round = fminf(6 * n->zoom, 6), pad = graph_pad * n->zoom, head = graph_head * n->zoom;
  int size = font_size(n);
  body_side side = side_of_name(node->label);
  Color bar = side == SIDE_LEFT ? theme_left : side == SIDE_RIGHT ? theme_right : theme_hint;
  /* how many DOFs there are, if not all are shown; the value of the first if none is */
  char count[64] = "";
  if (node->folded > node->output_count) snprintf(count, sizeof count, "%d", node->folded);
  if (node->dof && !node->output_count) {
    graph_port first = { .dof = node->dof, .kind = SINEW_SCALAR, .node = index };
    value_short(SINEW_SCALAR, network_value(st, n->g, &first), network_unit(st, n->g, &first),
                count, sizeof count);
  }
  float small = network_text * n->scale;
  float wide = font_width(count, small), named = font_width(node->label, (float)size);
  /* the name is more important than how many */
  if (named + wide + 3 * pad > box.width && node->output_count) {
    *count = '\0';
    wide = 0;
  }
  icon_box(box, round, faded(theme_box, dim));
  DrawRectangleRec((Rectangle){ box.x, box.y + round, 3, box.height - 2 * round }, faded(bar, dim));
  text_in(node->label, box.x + pad + 2, box.y + head / 2 + 1, box.width - 3 * pad - wide, size,
          faded(theme_text, dim));
  text(count, box.x + box.width - wide - pad, box.y + head / 2 + 1, (int)small,
       faded(node->output_count ? theme_hint : theme_dof_text, dim));
  for (int i = 0; i < node->output_count; i++) {
    const graph_port *p = &n->g->ports[node->outputs + i];
    bool mine = st->selected.dof.id == p->dof;
    char value[64];
    float y = box.y + p->offset * n->zoom, row = graph_row * n->zoom;
    if (n->hot_port == node->outputs + i)
      DrawRectangleRec((Rectangle){ box.x + 3, y - row / 2, box.width - 4, row }, theme_hover);
    value_short(p->kind, network_value(st, n->g, p), network_unit(st, n->g, p), value,
                sizeof value);
    float beside = font_width(value, (float)size);
    text_in(p->name, box.x + pad + 2, y, box.width - 3 * pad - beside, size,
            faded(mine ? theme_selected : theme_second, dim));
    text(value, box.x + box.width - pad - beside, y, size,
         faded(mine ? theme_selected : theme_dof_text, dim));
  }
  draw_outline(st, n, index, box, round, theme_hint);
}

/* where groups hang on each other, and values that one reads from another */
static void draw_links(const state *st, const network *n, Rectangle r) {
  for (int i = 0; i < n->g->link_count; i++) {
    const graph_link *l = &n->g->links[i];
    const graph_node *from = &n->g->nodes[l->from], *to = &n->g->nodes[l->to];
    Rectangle a = network_place(n, from, r), b = network_place(n, to, r);
    float lower = l->reads ? 6 * n->zoom : 0;
    graph_point start = { a.x + a.width, a.y + a.height / 2 + lower };
    graph_point end = { b.x, b.y + b.height / 2 + lower };
    if (end.x <= start.x && b.y > a.y) { /* it is not to the right: from below to above */
      start = (graph_point){ a.x + a.width / 2, a.y + a.height };
      end = (graph_point){ b.x + b.width / 2, b.y };
    } else if (end.x <= start.x) {
      start = (graph_point){ a.x + a.width / 2, a.y };
      end = (graph_point){ b.x + b.width / 2, b.y + b.height };
    }
    Color color = l->reads ? theme_wires[l->port.kind] : theme_line;
    draw_bend(start, end, l->reads ? 1.6f : 3, color);
    char value[64] = "";
    if (l->reads && l->port.kind == SINEW_SCALAR && end.x > start.x)
      value_short(SINEW_SCALAR, network_value(st, n->g, &l->port), network_unit(st, n->g, &l->port),
                  value, sizeof value);
    float small = network_text * n->scale, wide = font_width(value, small);
    if (*value && wide + 4 < end.x - start.x && fabsf(end.y - start.y) < 20 * n->scale)
      text(value, (start.x + end.x - wide) / 2, (start.y + end.y) / 2 + 8 * n->scale, (int)small,
           theme_second);
  }
}

/* a mark at each edge of the panel beyond which there is more */
static void draw_more(const state *st, const network *n, Rectangle r) {
  float right = n->origin.x + n->g->width * n->zoom - r.width, half = ui_px(&st->ui, 9);
  float below = n->origin.y + n->g->height * n->zoom - r.height;
  Vector2 middle = { r.x + r.width / 2, r.y + r.height / 2 };
  const struct {
    float beyond;
    Vector2 at;
    float turned;
  } edges[] = { { -n->origin.x, { r.x + half, middle.y }, 180 },
                { right, { r.x + r.width - half, middle.y }, 0 },
                { -n->origin.y, { middle.x, r.y + half }, 270 },
                { below, { middle.x, r.y + r.height - half }, 90 } };
  for (int i = 0; i < 4; i++) {
    if (edges[i].beyond < 1) continue;
    icon_draw(ICON_DISC, edges[i].at, 2 * half - 2, theme_panel);
    icon_draw_turned(ICON_CHEVRON, edges[i].at, ui_px(&st->ui, 10), edges[i].turned, theme_second);
  }
}

void network_draw(state *st, network *n, Rectangle r) {
  DrawRectangleRec(r, theme_window);
  draw_links(st, n, r);
  draw_wires(st, n, r, false);
  draw_wires(st, n, r, true);
  for (int i = 0; i < n->g->node_count; i++) {
    Rectangle box = network_place(n, &n->g->nodes[i], r);
    if (!CheckCollisionRecs(box, r)) continue;
    switch (n->g->nodes[i].role) {
    case GRAPH_COMPONENT: draw_component(n, st, i, box); break;
    case GRAPH_GROUP: draw_group(n, st, i, box); break;
    default: draw_pill(n, st, i, box);
    }
  }
  draw_more(st, n, r);
  if (n->g->left_out)
    text(TextFormat("%d more are not shown", n->g->left_out), r.x + ui_px(&st->ui, 12),
         r.y + r.height - ui_px(&st->ui, 12), (int)network_text, theme_hint);
}
