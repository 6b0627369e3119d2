/* The layout of a network: random rigs of every component, and small ones whose layout is known. */
#include "fixture.h"
#include "make.h"
#include "minunit.h"
#include "network.h"
#include "owned.h"
#include "patient.h"
#include "plain/graph.h"

#include <sinew/host.h>
#include <sinew/sinew.h>
#include <stdlib.h>

static float measure(const char *text, void *user) {
  (void)user;
  return 6.5f * (float)strlen(text);
}

/* a graph that is destroyed at the end of its block */
static void destroy_drawn(graph **g) { graph_destroy(*g); }
#define DRAWN __attribute__((cleanup(destroy_drawn))) graph

static const graph_text narrow = { .measure = measure },
                        wide = { .measure = measure, .wide = true },
                        brief = { .measure = measure, .brief = true },
                        folded = { .measure = measure, .brief = true, .folded = true };
static const graph_text *const texts[] = { &narrow, &wide, &brief, &folded };

/* DOFs wired to rotations in another order, and those to segments in a third */
static sinew_rig *crossed_rig(int count) {
  sinew_builder *b = make_lines(NULL, "set set");
  for (int i = 0; i < count; i++) make_lines(b, "set set; dof d%d -180 180", i);
  for (int i = 0; i < count; i++)
    make_lines(b, "set set; rotation r%d angle=d%d axis=0,0,1; segment s%d; drive s%d set.r%d", i,
               count - 1 - i, i, i, (i * 7) % count);
  return make_rig(b, NULL);
}

static bool overlap(const graph_node *a, const graph_node *b) {
  return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
         b->y < a->y + a->height;
}

/* whether a horizontal piece of wire crosses a box, except along its edge */
static bool hits_box(const graph *g, graph_point from, graph_point to) {
  for (int i = 0; i < g->node_count; i++) {
    const graph_node *n = &g->nodes[i];
    if (from.x < n->x + n->width && n->x < to.x && from.y > n->y && from.y < n->y + n->height)
      return true;
  }
  return false;
}

/* whether a box overlaps the space between the columns of a bend */
static bool box_between(const graph *g, graph_point from, graph_point to) {
  for (int i = 0; i < g->node_count; i++) {
    const graph_node *n = &g->nodes[i];
    float low = fminf(from.y, to.y), high = fmaxf(from.y, to.y);
    if (n->x + n->width > from.x + 0.01f && n->x < to.x - 0.01f && n->y < high &&
        n->y + n->height > low)
      return true;
  }
  return false;
}

static void check_picture(const graph *g) {
  for (int i = 0; i < g->node_count; i++) {
    const graph_node *n = &g->nodes[i];
    MU_CHECK_SAY(n->x >= 0 && n->y >= 0 && n->x + n->width <= g->width + 0.01f &&
                     n->y + n->height <= g->height + 0.01f,
                 "box %d '%s' is out of the picture", i, n->label);
    for (int k = 0; k < i; k++)
      MU_CHECK_SAY(!overlap(n, &g->nodes[k]), "boxes %d and %d overlap", k, i);
    int node = graph_node_at(g, n->x + 1, n->y + n->height / 2);
    MU_INT(node, i);
    for (int p = 0; p < n->input_count + n->output_count; p++) {
      const graph_port *port = &g->ports[n->inputs + p];
      MU_CHECK(port->offset > 0 && port->offset < n->height);
      if (g->brief && n->role == GRAPH_COMPONENT) continue; /* one line */
      float x = port->output ? n->x + n->width - 1 : n->x + 1;
      MU_INT(graph_port_at(g, i, x, n->y + port->offset), n->inputs + p);
    }
  }
  for (int w = 0; w < g->wire_count; w++) {
    const graph_wire *wire = &g->wires[w];
    const graph_point *p = g->points + wire->points;
    MU_CHECK(wire->point_count >= 2 && wire->point_count % 2 == 0);
    for (int i = 0; i + 1 < wire->point_count; i++) {
      MU_CHECK_SAY(p[i].x < p[i + 1].x, "wire %d goes back at its point %d", w, i);
      if (i % 2)
        MU_CHECK_SAY(p[i].y == p[i + 1].y && !hits_box(g, p[i], p[i + 1]),
                     "wire %d runs through a box", w);
      else
        MU_CHECK_SAY(!box_between(g, p[i], p[i + 1]), "wire %d bends through a box", w);
    }
    const graph_port *from = &g->ports[wire->from], *to = &g->ports[wire->to];
    const graph_node *a = &g->nodes[from->node], *b = &g->nodes[to->node];
    MU_CHECK(from->output && !to->output && from->used && to->used);
    MU_INT(from->kind, to->kind);
    MU_NEAR(p[0].x, a->x + a->width, 0);
    MU_NEAR(p[0].y, a->y + from->offset, 0);
    MU_NEAR(p[wire->point_count - 1].x, b->x, 0);
    MU_NEAR(p[wire->point_count - 1].y, b->y + to->offset, 0);
    graph_point middle = graph_between(p[0], p[1], 0.5f);
    MU_NEAR(graph_wire_distance(g, wire, middle.x, middle.y), 0, 0.01);
  }
}

typedef struct bend {
  graph_point from, to;
} bend;

static int order_of_bends(const void *a, const void *b) { return memcmp(a, b, sizeof(bend)); }

/* counts crossings of bends between the same columns, each shared piece of wire once: slowly, on
 * the finished layout */
static int slow_crossings(const graph *g) {
  int count = 0, kept = 0, found = 0;
  FREED bend *bends = calloc((size_t)g->point_count + 1, sizeof *bends);
  for (int w = 0; w < g->wire_count; w++)
    for (int i = 0; i + 1 < g->wires[w].point_count; i += 2)
      bends[count++] =
          (bend){ g->points[g->wires[w].points + i], g->points[g->wires[w].points + i + 1] };
  qsort(bends, (size_t)count, sizeof *bends, order_of_bends);
  for (int i = 0; i < count; i++)
    if (!i || memcmp(&bends[i], &bends[i - 1], sizeof *bends) != 0) bends[kept++] = bends[i];
  for (int i = 0; i < kept; i++)
    for (int k = 0; k < i; k++) {
      const bend *a = &bends[i], *b = &bends[k];
      bool together = a->from.x < b->to.x && b->from.x < a->to.x;
      found += together && (a->from.y - b->from.y) * (a->to.y - b->to.y) < 0;
    }
  return found;
}

static void check_rig(const sinew_rig *rig, int set, const graph_text *text) {
  DRAWN *g = graph_create(rig, set, text), *again = graph_create(rig, set, text);
  MU_CHECK(g && again);
  check_picture(g);
  if (!mu_current_failed) MU_INT(g->crossings, slow_crossings(g));
  MU_INT(g->node_count, again->node_count);
  for (int i = 0; i < g->node_count; i++)
    MU_CHECK(g->nodes[i].x == again->nodes[i].x && g->nodes[i].y == again->nodes[i].y);
  MU_CHECK(g->point_count == 0 ||
           memcmp(g->points, again->points, (size_t)g->point_count * sizeof *g->points) == 0);
}

MU_TEST(graph_boxes_do_not_overlap_and_wires_go_left_to_right_between_them) {
  for (int seed = 1; seed <= mu_rounds(60) && !mu_current_failed; seed++) {
    OWNED(rig) *rig =
        MU_MADE(network_make((uint32_t)seed, 1 + seed % 9, 2 + seed % 37, 2 + seed % 11));
    for (int set = 0; set <= sinew_rig_joint_set_count(rig); set++)
      for (int i = 0; i < 4; i++) check_rig(rig, set, texts[i]);
  }
}

/* rigs with joint sets that use each other's outputs, each set with its own layout */
MU_SLOW_TEST(graph_of_each_joint_set_of_the_rigs_is_valid) {
  static const char *const paths[] = { "rigs/human.lua", "rigs/creature.lua", "rigs/knee.lua",
                                       "rigs/shoulder_scripted.lua" };
  int stubs[2] = { 0 };
  for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
    sinew_host_desc desc = patient_host_desc();
    desc.load_seconds = 600;
    desc.modules = "lua";
    OWNED(host) *host = sinew_host_create(&desc, &error);
    MU_CHECK_SAY(host && sinew_host_load(host, paths[i], &error) >= 0, "%s", error.text);
    const sinew_rig *rig = sinew_host_rig(host);
    for (int set = 0; set <= sinew_rig_joint_set_count(rig); set++) {
      for (int k = 0; k < 4; k++) check_rig(rig, set, texts[k]);
      DRAWN *g = MU_MADE(graph_create(rig, set, &narrow));
      for (int k = 0; k < g->node_count; k++) {
        stubs[0] += g->nodes[k].role == GRAPH_FROM;
        stubs[1] += g->nodes[k].role == GRAPH_TO;
      }
    }
  }
  MU_CHECK(stubs[0] > 0 && stubs[1] > 0);
}

MU_TEST(graph_of_all_joint_sets_shows_everything_once) {
  for (int seed = 1; seed <= mu_rounds(40); seed++) {
    OWNED(rig) *rig =
        MU_MADE(network_make((uint32_t)seed, 1 + seed % 7, 2 + seed % 29, 2 + seed % 11));
    int counts[3] = { 0 }, wired = 0, inputs = 0;
    for (int set = 0; set <= sinew_rig_joint_set_count(rig); set++) {
      DRAWN *g = MU_MADE(graph_create(rig, set, &narrow));
      for (int i = 0; i < g->node_count; i++)
        if (g->nodes[i].role <= GRAPH_SEGMENT) counts[g->nodes[i].role]++;
      for (int w = 0; w < g->wire_count; w++)
        wired += g->nodes[g->ports[g->wires[w].to].node].role == GRAPH_COMPONENT;
    }
    MU_INT(counts[GRAPH_DOF], sinew_rig_dof_count(rig));
    MU_INT(counts[GRAPH_COMPONENT], sinew_rig_component_count(rig));
    for (int i = 0; i < sinew_rig_component_count(rig); i++) {
      sinew_component id = sinew_rig_component(rig, i);
      for (int k = 0; k < sinew_rig_component_info(rig, id).input_count; k++) {
        sinew_source s = sinew_rig_input(rig, id, k);
        inputs += s.dof.id || s.component.id;
      }
    }
    MU_INT(wired, inputs);
  }
}

MU_TEST(folding_joins_only_what_leads_into_one_box) {
  int joined = 0;
  for (int seed = 1; seed <= mu_rounds(40); seed++) {
    OWNED(rig) *rig =
        MU_MADE(network_make((uint32_t)seed, 1 + seed % 7, 2 + seed % 29, 2 + seed % 11));
    for (int set = 0; set <= sinew_rig_joint_set_count(rig); set++) {
      DRAWN *plain = MU_MADE(graph_create(rig, set, &brief));
      DRAWN *fold = MU_MADE(graph_create(rig, set, &folded));
      int components = 0, inside = 0;
      for (int i = 0; i < plain->node_count; i++)
        components += plain->nodes[i].role == GRAPH_COMPONENT;
      for (int i = 0; i < fold->node_count; i++)
        if (fold->nodes[i].role == GRAPH_COMPONENT) inside += 1 + fold->nodes[i].folded;
      MU_INT(inside, components);
      for (int i = 0; i < sinew_rig_component_count(rig); i++) {
        uint32_t id = (uint32_t)i + 1;
        int from = graph_find(plain, GRAPH_COMPONENT, id),
            box = graph_find(fold, GRAPH_COMPONENT, id);
        MU_CHECK((from < 0) == (box < 0));
        if (box < 0 || fold->nodes[box].id == id) continue;
        joined++;
        /* it is not the box's own, so all its wires lead into that box */
        for (int w = 0; w < plain->wire_count; w++) {
          if (plain->ports[plain->wires[w].from].node != from) continue;
          const graph_node *to = &plain->nodes[plain->ports[plain->wires[w].to].node];
          MU_INT(to->role, GRAPH_COMPONENT);
          MU_INT(graph_find(fold, GRAPH_COMPONENT, to->id), box);
        }
      }
    }
  }
  MU_CHECK(joined > 0);
}

MU_TEST(an_opened_fold_shows_its_steps) {
  OWNED(rig) *rig = make_text("set set; dof d -90 90; map a x=d angle=line:0,0,1,2;"
                              "map b x=a angle=line:0,0,1,2; rotation r angle=b axis=0,0,1;"
                              "segment s; drive s set.r");
  MU_MADE(rig);
  bool open[3] = { false };
  graph_text text = folded;
  text.open = open;
  DRAWN *closed = MU_MADE(graph_create(rig, 1, &text));
  MU_INT(closed->node_count, 3); /* the DOF, the rotation with both maps, the segment */
  MU_INT(closed->nodes[graph_find(closed, GRAPH_COMPONENT, 3)].folded, 2);
  MU_INT(graph_find(closed, GRAPH_COMPONENT, 1), graph_find(closed, GRAPH_COMPONENT, 3));
  open[2] = true;
  DRAWN *opened = MU_MADE(graph_create(rig, 1, &text));
  MU_INT(opened->nodes[graph_find(opened, GRAPH_COMPONENT, 3)].folded, 0);
  MU_INT(opened->node_count, 4); /* the first map is in the box of the second */
}

/* each joint set is one box, right of the one that its bones hang on */
MU_TEST(groups_stand_as_the_skeleton_does) {
  sinew_host_desc desc = patient_host_desc();
  desc.load_seconds = 600;
  desc.modules = "lua";
  OWNED(host) *host = sinew_host_create(&desc, &error);
  MU_CHECK_SAY(host && sinew_host_load(host, "rigs/human.lua", &error) >= 0, "%s", error.text);
  const sinew_rig *rig = sinew_host_rig(host);
  for (int grid = 0; grid < 2; grid++) {
    graph_text text = { .measure = measure, .rows = 2, .grid = grid != 0 };
    DRAWN *g = MU_MADE(graph_create(rig, GRAPH_ALL, &text));
    MU_INT(g->node_count, sinew_rig_joint_set_count(rig));
    int reads = 0;
    for (int i = 0; i < g->node_count; i++) {
      const graph_node *n = &g->nodes[i];
      MU_CHECK(n->x >= 0 && n->y >= 0 && n->x + n->width <= g->width &&
               n->y + n->height <= g->height);
      MU_CHECK(n->output_count <= 2 && n->output_count <= n->folded);
      for (int k = 0; k < i; k++)
        MU_CHECK_SAY(!overlap(n, &g->nodes[k]), "%s, %s", n->label, g->nodes[k].label);
    }
    for (int i = 0; i < g->link_count; i++) {
      const graph_link *l = &g->links[i];
      reads += l->reads;
      if (!l->reads) MU_CHECK(g->nodes[l->to].x > g->nodes[l->from].x + g->nodes[l->from].width);
    }
    MU_INT(reads, 2); /* each knee reads its hip: muscles over both */
    if (grid) continue;
    sinew_segment foot = sinew_rig_find_segment(rig, "talus_r", &error);
    MU_CHECK_SAY(foot.id, "%s", error.text);
    int ankle = graph_find(g, GRAPH_GROUP, graph_set_of(rig, foot).id);
    MU_TEXT(g->nodes[ankle].label, "right_ankle");
    MU_INT(g->nodes[ankle].layer, 3); /* body, hip, knee */
  }
}

MU_TEST(marked_components_bring_the_dofs_that_they_read) {
  OWNED(rig) *rig = crossed_rig(4);
  MU_MADE(rig);
  bool marked[4] = { false, true, false, false };
  graph_text text = { .measure = measure, .marked = marked, .home = 1 };
  DRAWN *g = MU_MADE(graph_create(rig, GRAPH_MARKED, &text));
  check_picture(g);
  MU_INT(g->node_count, 3); /* a DOF, the rotation, its segment */
  MU_CHECK(graph_find(g, GRAPH_COMPONENT, 2) >= 0 && graph_find(g, GRAPH_COMPONENT, 1) < 0);
  MU_TEXT(g->nodes[graph_find(g, GRAPH_COMPONENT, 2)].label, "r1");
}

MU_TEST(graph_puts_dofs_first_and_segments_last) {
  OWNED(rig) *rig = MU_MADE(network_make(7, 6, 40, 9));
  for (int set = 0; set <= sinew_rig_joint_set_count(rig); set++) {
    DRAWN *g = MU_MADE(graph_create(rig, set, &narrow));
    for (int i = 0; i < g->node_count; i++) {
      if (g->nodes[i].role == GRAPH_DOF) MU_INT(g->nodes[i].layer, 0);
      if (g->nodes[i].role == GRAPH_SEGMENT)
        for (int k = 0; k < g->node_count; k++)
          MU_CHECK(g->nodes[k].role == GRAPH_TO || g->nodes[k].layer <= g->nodes[i].layer);
    }
  }
}

MU_TEST(graph_highlights_the_dofs_of_a_segment) {
  bool marked[64];
  memset(marked, true, sizeof marked);
  graph_text all = narrow;
  all.marked = marked;
  for (int seed = 1; seed <= mu_rounds(30); seed++) {
    OWNED(rig) *rig = network_make((uint32_t)seed, 1 + seed % 7, 2 + seed % 29, 2 + seed % 11);
    MU_CHECK(rig && sinew_rig_component_count(rig) <= 64);
    DRAWN *g = graph_create(rig, GRAPH_MARKED, &all);
    FREED bool *lit = g ? calloc((size_t)g->node_count + 1, sizeof *lit) : NULL;
    MU_CHECK(rig && lit);
    for (int s = 0; s < sinew_rig_segment_count(rig); s++) {
      sinew_segment id = sinew_rig_segment(rig, s);
      sinew_component driver = sinew_rig_segment_info(rig, id).driver;
      if (!driver.id) continue;
      memset(lit, 0, (size_t)g->node_count * sizeof *lit);
      lit[graph_find(g, GRAPH_SEGMENT, id.id)] = true;
      graph_mark_upstream(g, lit);
      for (int d = 0; d < sinew_rig_dof_count(rig); d++) {
        sinew_dof dof = sinew_rig_dof(rig, d);
        int node = graph_find(g, GRAPH_DOF, dof.id); /* one that nothing reads is not shown */
        MU_INT(node >= 0 && lit[node], sinew_rig_depends(rig, driver, dof));
      }
    }
  }
}

MU_TEST(graph_has_no_avoidable_crossings) {
  for (int count = 2; count <= 12; count += 2) {
    OWNED(rig) *rig = crossed_rig(count % 7 ? count : count + 1);
    DRAWN *g = MU_MADE(rig ? graph_create(rig, 1, &narrow) : NULL);
    MU_INT(g->crossings, 0);
    MU_INT(slow_crossings(g), 0);
    /* then every wire is horizontal */
    for (int w = 0; w < g->wire_count; w++) {
      const graph_point *p = g->points + g->wires[w].points;
      MU_NEAR(p[0].y, p[g->wires[w].point_count - 1].y, 2);
    }
  }
}

MU_TEST(graph_of_an_empty_set_is_empty) {
  OWNED(rig) *rig = crossed_rig(3);
  DRAWN *g = MU_MADE(rig ? graph_create(rig, 0, &narrow) : NULL);
  MU_INT(g->node_count, 0);
  MU_INT(graph_node_at(g, 0, 0), -1);
}

MU_TEST(graph_shows_the_formula_of_a_component) {
  sinew_builder *b = make_lines(NULL, "set wing; dof flap -90 90; dof fold 0 1");
  make_part(b, (sinew_joint_set){ 1 }, "formula", "limit", "x=flap x=fold",
            SINEW_PARAMS(sinew_param_text("min", "-40"), sinew_param_text("max", "65 - 55*x2")));
  make_part(b, (sinew_joint_set){ 1 }, "formula", "half", "x=limit",
            SINEW_PARAMS(sinew_param_text("text", "0.5*x1")));
  OWNED(rig) *rig = make_rig(b, NULL);
  MU_MADE(rig);
  graph *g = graph_create(rig, 1, &narrow);
  MU_MADE(g);
  const char *labels[2] = { "", "" };
  for (int i = 0; i < g->node_count; i++)
    if (g->nodes[i].role == GRAPH_COMPONENT) labels[g->nodes[i].id - 1] = g->nodes[i].label;
  MU_TEXT(labels[0], "limit at least -40, at most 65 - 55 fold");
  MU_TEXT(labels[1], "half = 0.5 limit");
  graph_destroy(g);
}

MU_SUITE(graph)
