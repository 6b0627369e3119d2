/* Functions of the engine that no script reaches, with what makes them work: each is stopped soon
 * after a part of its work is used up, and at half of its memory. Those of the module are in
 * test_budget_calls.c; SINEW_BUDGET_FIGURES=1 prints the times of these as well. */
#include "base/budget_internal.h"

#include "base/alloc.h"
#include "base/platform.h"
#include "base/text.h"
#include "fixture.h"
#include "make.h"
#include "minunit.h"
#include "model.h"
#include "owned.h"

#include <math.h>
#include <sinew/sinew.h>
#include <stdlib.h>

/* what the cases work on */
static model_tube shape;
static sinew_rig *rig;
static sinew_pose *pose;
static sinew_skin *skin;
static sinew_motion *markers;
static unsigned char *glb;
static size_t glb_size;

static sinew_rig *make_chain(void) {
  sinew_builder *b = make_lines(NULL, "dof a0 -90 90; segment s0");
  for (int i = 1; i < model_bones; i++)
    make_lines(b,
               "dof a%d -60 60; segment s%d s%d 0,0.08,0; rotation r%d angle=a%d axis=%s;"
               "drive s%d r%d",
               i, i, i - 1, i, i, i % 2 ? "1,0,0" : "0,0,1", i, i);
  return sinew_builder_finish(b, &error);
}

/* two markers on each bone, that wave */
static sinew_motion *make_markers(int frames) {
  si_text text = { 0 };
  si_text_format(&text, "PathFileType\t4\t(X/Y/Z)\ta\nDataRate\tNumFrames\tUnits\n50\t%d\tm\n",
                 frames);
  si_text_add(&text, "Frame#\tTime");
  for (int m = 0; m < model_bones; m++) si_text_format(&text, "\tm%d\t\t", m);
  si_text_add(&text, "\n\t\tX1\n");
  for (int f = 0; f < frames; f++) {
    si_text_format(&text, "%d\t%g", f + 1, f / 50.0);
    for (int m = 0; m < model_bones; m++)
      si_text_format(&text, "\t%g\t%g\t%g", 0.1 * sin(0.1 * f + m), 0.08 * m, 0.1 * cos(0.07 * f));
    si_text_add(&text, "\n");
  }
  size_t size;
  char *whole = si_text_finish(&text, &size, &error);
  sinew_motion *motion =
      whole ? sinew_motion_parse("a.trc", whole, size, NULL, 0, NULL, &error) : NULL;
  sinew_text_free(whole);
  return motion;
}

/* --- the cases */

static sinew_skin_desc skin_desc(void) {
  sinew_skin_desc desc = sinew_default_skin_desc();
  desc.mesh = (sinew_shape){ shape.vertices, shape.normals, shape.triangles, shape.vertex_count,
                             shape.triangle_count };
  return desc;
}

static bool weights(sinew_error *why) {
  const sinew_skin_desc desc = skin_desc();
  sinew_skin *made = sinew_skin_create(pose, &desc, why);
  sinew_skin_destroy(made);
  return made;
}

static bool given_weights(sinew_error *why) {
  sinew_skin_desc desc = skin_desc();
  const size_t count = (size_t)shape.vertex_count;
  FREED float *shares = malloc(count * sizeof *shares);
  FREED uint32_t *segments = calloc(count, sizeof *segments);
  if (!shares || !segments) abort();
  for (size_t i = 0; i < count; i++) shares[i] = 1;
  desc.weights = shares;
  desc.segments = segments;
  desc.weight_count = 1;
  bool fine = true;
  for (int i = 0; fine && i < 20; i++) {
    sinew_skin *made = sinew_skin_create(pose, &desc, why);
    fine = made;
    sinew_skin_destroy(made);
  }
  return fine;
}

static bool fused(sinew_error *why) {
  const sinew_skin_desc desc = skin_desc();
  int count, left = 10;
  while (left && sinew_skin_find_fused(skin, pose, &desc, NULL, 0, &count, why) >= 0) left--;
  return !left;
}

static bool envelope(sinew_error *why) {
  sinew_mesh *mesh = sinew_skin_envelope(pose, NULL, 0.05f, 0.01f, why);
  sinew_mesh_destroy(mesh);
  return mesh;
}

static bool mesh_of_file(sinew_error *why) {
  for (int i = 0; i < 10; i++) {
    sinew_mesh *mesh = sinew_mesh_parse("a.glb", glb, glb_size, why);
    sinew_mesh_destroy(mesh);
    if (!mesh) return false;
  }
  return true;
}

static bool character(sinew_error *why) {
  for (int i = 0; i < 10; i++) {
    sinew_character *c = sinew_character_parse("a.glb", glb, glb_size, why);
    sinew_character_destroy(c);
    if (!c) return false;
  }
  return true;
}

static bool animation(sinew_error *why) {
  sinew_motion *motion = sinew_motion_parse("a.glb", glb, glb_size, NULL, 0, NULL, why);
  sinew_motion_destroy(motion);
  return motion;
}

static void list_parts(sinew_fit_part *dest) {
  for (int i = 0; i < model_bones; i++)
    dest[i] = (sinew_fit_part){ i, sinew_rig_segment(rig, i), { 0, 0.04f, 0 }, 1 };
}

static bool fit(sinew_error *why) {
  sinew_fit_part parts[model_bones];
  sinew_fit_desc desc = sinew_default_fit_desc();
  list_parts(parts);
  desc.parts = parts;
  desc.part_count = model_bones;
  sinew_fit *made = sinew_fit_create(rig, markers, &desc, why);
  bool fine = made;
  sinew_pose_reset(pose);
  for (int f = 0; fine && f < 20; f++)
    fine = sinew_fit_frame(made, f, f == 0, pose, NULL, why) >= 0;
  sinew_fit_destroy(made);
  return fine;
}

static bool measure(sinew_error *why) {
  sinew_fit_part parts[model_bones];
  sinew_fit_link links[model_bones - 1];
  list_parts(parts);
  for (int i = 0; i + 1 < model_bones; i++) links[i] = (sinew_fit_link){ i, i + 1 };
  for (int i = 0; i < 200; i++)
    if (!(sinew_fit_measure(rig, markers, parts, model_bones, links, model_bones - 1, NULL, why) >
          0))
      return false;
  return true;
}

static bool sculpt(sinew_error *why) {
  FREED float *large = malloc(3 * (size_t)shape.vertex_count * sizeof *large);
  if (!large) abort();
  for (int i = 0; i < 3 * shape.vertex_count; i++)
    large[i] = (i % 3 == 1 ? 50 : 500) * shape.vertices[i];
  sinew_field_desc desc = sinew_default_field_desc(3);
  for (int i = 0; i < 3; i++) desc.axes[i] = (sinew_field_axis){ -60, 60, 24, false };
  sinew_surface *surface = sinew_surface_create(large, (size_t)shape.vertex_count, shape.triangles,
                                                (size_t)shape.triangle_count, why);
  sinew_field *field = surface ? sinew_field_from_surface(&desc, surface, NULL, why) : NULL;
  sinew_surface_destroy(surface);
  sinew_field_release(field);
  return field;
}

static const struct {
  const char *name;
  bool (*run)(sinew_error *why);
} cases[] = {
  { "skin: automatic weights", weights },
  { "skin: given weights", given_weights },
  { "skin: fused limbs", fused },
  { "skin: envelope", envelope },
  { "mesh of a .glb", mesh_of_file },
  { "character of a .glb", character },
  { "animation of a .glb", animation },
  { "fit", fit },
  { "fit: sizes", measure },
  { "sculpted field", sculpt },
};

typedef struct outcome {
  bool done;
  sinew_budget_use used;
  double seconds;
} outcome;

static outcome call(size_t i, int64_t work, size_t memory, double seconds) {
  sinew_budget_desc desc = sinew_default_budget_desc();
  desc.work = work;
  desc.memory = memory;
  desc.seconds = seconds;
  sinew_budget *budget = sinew_budget_create(&desc, &error);
  sinew_error_clear(&error);
  sinew_budget *before = sinew_budget_enter(budget);
  const uint64_t start = si_clock_of_thread();
  outcome o = { .done = cases[i].run(&error) };
  o.seconds = (double)(si_clock_of_thread() - start) / 1e9;
  sinew_budget_leave(before);
  o.used = sinew_budget_used(budget);
  sinew_budget_destroy(budget);
  return o;
}

static void check_case(size_t i) {
  const char *name = cases[i].name;
  const size_t blocks = sinew_live_blocks();
  const outcome whole = call(i, 0, 0, 0);
  MU_CHECK_SAY(whole.done, "%s: %s", name, error.text);
  MU_CHECK_SAY(whole.used.work >= 100000, "%s: costs %lld units only", name,
               (long long)whole.used.work);
  const outcome part = call(i, whole.used.work / 3, 0, 0);
  MU_CHECK_SAY(!part.done && error.status == SINEW_ERR_LIMIT && strstr(error.text, "work allowed"),
               "%s: is not stopped: %s", name, error.text);
  const outcome little = call(i, 0, whole.used.most_memory / 2, 0);
  MU_CHECK_SAY(!little.done && strstr(error.text, "memory allowed"), "%s: %s", name, error.text);
  MU_CHECK_SAY(little.used.most_memory <= whole.used.most_memory / 2, "%s: holds %zu of %zu bytes",
               name, little.used.most_memory, whole.used.most_memory / 2);
  const int places = mu_rounds(20);
  for (int k = 1; k < places; k++) { /* it leaks nothing, wherever it stops */
    const outcome some = call(i, 1 + whole.used.work / places * k, 0, 0);
    MU_CHECK_SAY(!some.done && error.status == SINEW_ERR_LIMIT, "%s: %s", name, error.text);
  }
  MU_INT(sinew_live_blocks(), blocks);
  if (!getenv("SINEW_BUDGET_FIGURES")) return;
  const outcome late = call(i, 0, 0, whole.seconds / 3);
  printf(
      "%-24s %8.1f ms %6.1f ns/unit; a third of the work: %4.2f of its time; of the time: %4.2f\n",
      name, whole.seconds * 1e3, whole.seconds * 1e9 / (double)whole.used.work,
      part.seconds / (whole.seconds / 3), late.seconds / (whole.seconds / 3));
}

MU_SLOW_TEST(work_of_the_engine_is_stopped_by_its_budget) {
  shape = model_make_tube(mu_rounds(400) < 400 ? 60 : 200);
  rig = MU_MADE(make_chain());
  pose = MU_MADE(sinew_pose_create(rig, &error));
  MU_OK(sinew_pose_eval(pose, &error));
  markers = MU_MADE_OR(make_markers(400), error.text);
  glb = model_make_glb(&shape, &glb_size);
  const sinew_skin_desc desc = skin_desc();
  skin = MU_MADE_OR(sinew_skin_create(pose, &desc, &error), error.text);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_case(i);
  sinew_skin_destroy(skin);
  sinew_motion_destroy(markers);
  sinew_pose_destroy(pose);
  sinew_rig_destroy(rig);
  free(glb);
  model_free_tube(&shape);
}

MU_SUITE(budget_engine)
