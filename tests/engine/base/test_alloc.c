/* Memory: hooks and counts, and a whole life cycle (build, compile, pose, edit) with the n-th
 * allocation failing, for every n. */
#include "base/alloc.h"

#include "base/arena.h"
#include "make.h"
#include "minunit.h"

#include <stdlib.h>

static sinew_error error;

typedef struct meter {
  long calls, live, fail_at; /* the call that fails, from 1; 0: none */
} meter;

static void *metered_alloc(size_t bytes, size_t align, void *user) {
  meter *m = user;
  if (++m->calls == m->fail_at) return NULL;
  m->live++;
  return aligned_alloc(align, (bytes + align - 1) / align * align);
}

static void metered_release(void *block, void *user) {
  ((meter *)user)->live--;
  free(block);
}

static void use(meter *m) {
  sinew_allocator hooks = { metered_alloc, metered_release, m };
  sinew_set_allocator(m ? &hooks : NULL);
}

MU_TEST(blocks_are_zeroed_aligned_and_counted) {
  meter m = { 0 };
  size_t bytes = sinew_live_bytes(), blocks = sinew_live_blocks();
  use(&m);
  for (size_t size = 0; size < 300; size += 7) {
    unsigned char *block = si_alloc(size);
    MU_CHECK(block && (uintptr_t)block % SI_ALIGN == 0);
    for (size_t i = 0; i < size; i++) MU_INT(block[i], 0);
    memset(block, 0xff, size);
    MU_INT(sinew_live_bytes() - bytes, size);
    MU_INT(sinew_live_blocks() - blocks, 1);
    si_free(block);
  }
  si_free(NULL);
  use(NULL);
  MU_INT(m.live, 0);
  MU_INT(sinew_live_bytes(), bytes);
}

MU_TEST(absurd_sizes_are_refused) {
  MU_CHECK(!si_alloc(SIZE_MAX));
  MU_CHECK(!si_alloc_array(SIZE_MAX / 2, 3));
  MU_CHECK(!si_alloc_array(3, SIZE_MAX / 2));
  si_carver carver = { 0 };
  si_carve(&carver, 10, 4, 16);
  MU_INT(carver.used, 40);
  si_carve(&carver, SIZE_MAX / 8, 64, 16);
  si_carve(&carver, 1, 1, 1);
  MU_CHECK(carver.used == SIZE_MAX);
  MU_CHECK(!si_alloc(carver.used));
}

MU_TEST(grow_keeps_items_and_zeroes_new_ones) {
  int *items = NULL;
  size_t room = 0;
  for (int i = 0; i < 1000; i++) {
    MU_CHECK(si_grow((void **)&items, &room, (size_t)i + 1, sizeof *items));
    MU_INT(items[i], 0);
    items[i] = i;
  }
  for (int i = 0; i < 1000; i++) MU_INT(items[i], i);
  MU_CHECK(!si_grow((void **)&items, &room, SIZE_MAX, sizeof *items));
  MU_INT(items[999], 999);
  si_free(items);
}

/* a block from an arena: `size` bytes, all equal to `mark` */
typedef struct taken {
  unsigned char *at;
  size_t size;
  unsigned char mark;
} taken;

static bool untouched(const taken *all, int count) {
  for (int i = 0; i < count; i++)
    for (size_t k = 0; k < all[i].size; k++)
      if (all[i].at[k] != all[i].mark) return false;
  return true;
}

MU_TEST(arenas_keep_blocks_separate_and_free_them_at_once) {
  enum { most = 600 };
  static taken all[most];
  static char text[100000];
  uint32_t seed = 7;
  const size_t before = sinew_live_blocks();
  for (int round = 0; round < 20; round++) {
    si_arena arena = { 0 };
    void *nothing = si_arena_take(&arena, 0);
    MU_CHECK(nothing && sinew_live_blocks() == before + 1);
    for (int i = 0; i < most; i++) {
      /* mostly small, sometimes more than a block, sometimes nothing */
      size_t size = (size_t)make_index(&seed, make_index(&seed, 50) == 0 ? 100000 : 90);
      all[i] = (taken){ .size = size, .mark = (unsigned char)(1 + i % 255) };
      if (i % 2) {
        memset(text, all[i].mark, size);
        all[i].at = (unsigned char *)si_arena_text(&arena, text, size);
        MU_CHECK(all[i].at && all[i].at[size] == 0);
        continue;
      }
      all[i].at = si_arena_take(&arena, size);
      MU_CHECK(all[i].at && (uintptr_t)all[i].at % SI_ALIGN == 0);
      for (size_t k = 0; k < size; k++) MU_INT(all[i].at[k], 0);
      memset(all[i].at, all[i].mark, size);
    }
    MU_CHECK(untouched(all, most));
    MU_CHECK(sinew_live_blocks() - before < most / 4);
    si_arena_free(&arena);
    MU_INT(sinew_live_blocks(), before);
    si_arena_free(&arena); /* it is empty, and can be freed again and reused */
  }
}

MU_TEST(arenas_are_unchanged_when_memory_runs_out) {
  meter m = { .fail_at = 2 };
  use(&m);
  si_arena arena = { 0 };
  char *first = si_arena_text(&arena, "first", 5);
  MU_CHECK(!si_arena_take(&arena, 1 << 20));
  MU_CHECK(!si_arena_take(&arena, SIZE_MAX) && !si_arena_take(&arena, SIZE_MAX - SI_ALIGN));
  MU_CHECK(!si_arena_text(&arena, "", SIZE_MAX));
  char *second = si_arena_text(&arena, "second", 6);
  MU_TEXT(first, "first");
  MU_TEXT(second, "second");
  MU_CHECK(second == first + 6); /* still in the same block */
  si_arena_free(&arena);
  m = (meter){ .fail_at = 1 };
  MU_CHECK(!si_arena_text(&arena, "none", 4));
  si_arena_free(&arena);
  use(NULL);
  MU_INT(m.live, 0);
}

/* a reference-counted object in a parameter */
static int references;
static void retain(void *object) { ++*(int *)object; }
static void release(void *object) { --*(int *)object; }
static const sinew_object_class object_class = { "token", retain, release };

static void holder_eval(const sinew_node *node, float *values) {
  *sinew_node_out(node, values, 0) = *sinew_node_in(node, values, 0);
}
static const sinew_port_desc holder_in[] = { { "x", SINEW_SCALAR, 0, 0, "", "" }, { 0 } };
static const sinew_port_desc holder_out[] = { { "y", SINEW_SCALAR, 0, 0, "", "" }, { 0 } };
static const sinew_param_desc holder_params[] = {
  { .name = "token", .type = SINEW_PARAM_OBJECT, .doc = "held" },
  { .name = "peer", .type = SINEW_PARAM_COMPONENT, .doc = "another" },
  { 0 },
};
static const sinew_component_class holder = {
  .class_size = sizeof(sinew_component_class),
  .name = "holder",
  .inputs = holder_in,
  .outputs = holder_out,
  .params = holder_params,
  .eval = holder_eval,
};

typedef struct life {
  sinew_curve *line;
  sinew_builder *builder;
  sinew_rig *rig;
  sinew_pose *pose;
} life;

/* every step that can fail, in order; the first failure ends it and must be reported */
static bool live(life *l, sinew_error *e) {
  static const float points[] = { 0, 0, 60, -50, 120, -120 };
  static const float angles[] = { -120, -60, 0 }, centres[] = { 0, 0, 0.01f, 0, 0, -0.01f };
  sinew_curve_desc d = sinew_default_curve_desc();
  d.kind = SINEW_CURVE_SPLINE, d.points = points, d.point_count = 3;
  if (!(l->line = sinew_curve_create(&d, e))) return false;
  if (!(l->builder = sinew_builder_create("life", e))) return false;
  sinew_builder *b = l->builder;
  sinew_joint_set set = sinew_builder_add_joint_set(b, "knee", "here", e);
  if (!set.id || sinew_builder_add_class(b, &holder, e) < 0) return false;
  sinew_segment_desc femur = sinew_default_segment_desc(), tibia = femur;
  femur.name = "femur", tibia.name = "tibia", tibia.parent = "femur";
  sinew_dof_desc flexion = {
    .size = sizeof flexion, .name = "flexion", .joint_set = set, .max = 120
  };
  if (!sinew_builder_add_segment(b, &femur, e).id) return false;
  sinew_segment shin = sinew_builder_add_segment(b, &tibia, e);
  if (!shin.id || !sinew_builder_add_dof(b, &flexion, e).id) return false;
  const sinew_component_desc parts[] = {
    { .size = sizeof parts[0],
      .kind = "map",
      .joint_set = set,
      .wires = (sinew_wire[]){ { .input = "x", .from = "flexion" } },
      .wire_count = 1,
      .params = (sinew_param[]){ sinew_param_curve("angle", l->line) },
      .param_count = 1 },
    { .size = sizeof parts[0],
      .kind = "rotation",
      .name = "turn",
      .joint_set = set,
      .wires = (sinew_wire[]){ { .input = "angle", .from = "map1" } },
      .wire_count = 1,
      .params = (sinew_param[]){ sinew_param_vector("axis", 1, 0, 0),
                                 sinew_param_numbers("angles", angles, 3),
                                 sinew_param_vectors("centres", centres, 2) },
      .param_count = 3 },
    { .size = sizeof parts[0],
      .kind = "holder",
      .name = "held",
      .joint_set = set,
      .wires = (sinew_wire[]){ { .input = "x", .from = "map1" } },
      .wire_count = 1,
      .params = (sinew_param[]){ sinew_param_object("token", &object_class, &references),
                                 sinew_param_text("peer", "turn") },
      .param_count = 2 },
    { .size = sizeof parts[0],
      .kind = "multiply",
      .name = "all",
      .joint_set = set,
      .wires = (sinew_wire[]){ { .input = "matrix", .from = "turn" } },
      .wire_count = 1 },
  };
  sinew_component made[4];
  for (int i = 0; i < 4; i++)
    if (!(made[i] = sinew_builder_add_component(b, &parts[i], e)).id) return false;
  sinew_wire wire = { .input = "matrix", .from = "turn" };
  if (sinew_builder_connect(b, made[3], &wire, e) < 0) return false;
  if (sinew_builder_drive(b, shin, "knee.all", "there", e) < 0) return false;
  if (!(l->rig = sinew_builder_compile(b, e))) return false;
  if (!(l->pose = sinew_pose_create(l->rig, e))) return false;
  if (sinew_pose_eval(l->pose, e) < 0) return false;
  /* the holder names the rotation, so both are set up again; then the object is replaced by itself
   */
  sinew_param axis = sinew_param_vector("axis", 0, 1, 0);
  if (sinew_rig_set_param(l->rig, made[1], &axis, e) < 0) return false;
  sinew_param token = sinew_param_object("token", &object_class, &references);
  if (sinew_rig_set_param(l->rig, made[2], &token, e) < 0) return false;
  return sinew_pose_eval(l->pose, e) >= 0;
}

static void end(life *l) {
  sinew_pose_destroy(l->pose);
  sinew_rig_destroy(l->rig);
  sinew_builder_destroy(l->builder);
  sinew_curve_destroy(l->line);
}

MU_TEST(every_allocation_may_fail_once) {
  size_t bytes = sinew_live_bytes(), blocks = sinew_live_blocks();
  long n = 1;
  bool done = false;
  for (; !done && n < 10000; n++) {
    meter m = { .fail_at = n };
    life l = { 0 };
    sinew_error_clear(&error);
    references = 0;
    use(&m);
    done = live(&l, &error);
    end(&l);
    use(NULL);
    MU_CHECK_SAY(done || error.status == SINEW_ERR_MEMORY, "allocation %ld: status %d", n,
                 error.status);
    MU_CHECK_SAY(done || strcmp(error.text, "out of memory") == 0, "allocation %ld: %s", n,
                 error.text);
    MU_INT(references, 0);
    MU_INT(m.live, 0);
    MU_INT(sinew_live_bytes(), bytes);
    MU_INT(sinew_live_blocks(), blocks);
    MU_CHECK(!done || m.calls == n - 1);
  }
  MU_CHECK(done && n > 40);
}

MU_TEST(compiling_with_mistakes_may_run_out_of_memory_too) {
  bool done = false;
  for (long n = 1; !done && n < 1000; n++) {
    meter m = { .fail_at = 0 };
    use(&m);
    sinew_builder *b =
        make_lines(NULL, "dof d 0 1; euler e first=nobody; rotation r angle=d axis=0,0,0");
    m.fail_at = m.calls + n;
    sinew_rig *rig = sinew_builder_compile(b, &error);
    done = m.calls < m.fail_at;
    sinew_builder_destroy(b);
    use(NULL);
    MU_CHECK(!rig);
    MU_INT(error.status, done ? SINEW_ERR_NAME : SINEW_ERR_MEMORY);
    MU_INT(error.count, done ? 2 : 1);
    MU_INT(m.live, 0);
  }
  MU_CHECK(done);
}

MU_TEST(a_rig_and_a_pose_are_one_block_each) {
  meter m = { 0 };
  use(&m);
  life l = { 0 };
  MU_CHECK(live(&l, NULL));
  sinew_rig *rig = sinew_builder_compile(l.builder, NULL);
  long before = m.live;
  size_t bytes = sinew_live_bytes();
  sinew_rig *second = sinew_builder_compile(l.builder, NULL);
  MU_INT(m.live - before, 1);
  MU_INT(sinew_live_bytes() - bytes, sinew_rig_bytes(second));
  sinew_pose *pose = sinew_pose_create(second, NULL);
  MU_INT(m.live - before, 2);
  MU_INT(sinew_live_bytes() - bytes, sinew_rig_bytes(second) + sinew_rig_pose_bytes(second));
  sinew_pose_destroy(pose);
  sinew_rig_destroy(second);
  sinew_rig_destroy(rig);
  end(&l);
  use(NULL);
  MU_INT(m.live, 0);
}

MU_TEST(setting_and_evaluating_allocate_nothing) {
  meter m = { 0 };
  use(&m);
  life l = { 0 };
  MU_CHECK(live(&l, NULL));
  long before = m.calls;
  sinew_dof dof = sinew_rig_dof(l.rig, 0);
  sinew_hold hold;
  for (int i = -50; i < 200; i++) {
    float value = (float)i;
    sinew_pose_set(l.pose, dof, value, &error);
    sinew_pose_set_all(l.pose, &value, 1, &error);
    sinew_pose_set(l.pose, dof, NAN, &error);
    sinew_pose_eval(l.pose, &error);
    sinew_pose_holds(l.pose, &hold, 1);
    sinew_pose_reset(l.pose);
  }
  MU_INT(m.calls, before);
  end(&l);
  use(NULL);
}

MU_SUITE(alloc)
