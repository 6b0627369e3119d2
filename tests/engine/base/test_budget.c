/* Budgets: work, memory and time that are used up, cancelling from another thread, budgets inside
 * others, and threads of a pool that spend for their caller. */
#include "base/budget_internal.h"

#include "base/alloc.h"
#include "base/error_internal.h"
#include "base/thread_pool.h"
#include "fixture.h"
#include "make.h"
#include "minunit.h"

#include <pthread.h>
#include <sinew/sinew.h>

static sinew_budget *budget_of(int64_t work, size_t memory, double seconds) {
  sinew_budget_desc desc = sinew_default_budget_desc();
  desc.work = work;
  desc.memory = memory;
  desc.seconds = seconds;
  return sinew_budget_create(&desc, &error);
}

MU_TEST(a_budget_counts_what_is_spent_in_it) {
  sinew_budget *b = budget_of(0, 0, 0);
  MU_CHECK(sinew_budget_spend(1000) && sinew_budget_used(b).work == 0);
  MU_CHECK(!sinew_budget_enter(b));
  MU_CHECK(sinew_budget_spend(1000) && si_work(10));
  void *block = si_alloc(6400);
  MU_INT(sinew_budget_used(b).work, 1010 + 101);
  MU_INT(sinew_budget_used(b).memory, 6400);
  sinew_budget_leave(NULL);
  void *other = si_alloc(100);
  MU_INT(sinew_budget_used(b).memory, 6400);
  sinew_budget_enter(b);
  si_free(other); /* was not of this budget */
  si_free(block);
  sinew_budget_leave(NULL);
  MU_INT(sinew_budget_used(b).memory, 0);
  MU_INT(sinew_budget_used(b).most_memory, 6400);
  MU_INT(sinew_budget_status(b), SINEW_OK);
  sinew_budget_destroy(b);
}

MU_TEST(a_budget_that_is_used_up_refuses_until_it_is_renewed) {
  sinew_budget *b = budget_of(100, 0, 0);
  sinew_budget *before = sinew_budget_enter(b);
  const char *step = si_step_begin("sorting numbers");
  MU_CHECK(si_work(100) && !si_stopped() && !si_work(1) && si_stopped());
  si_step_end(step);
  MU_CHECK(!si_work(0) && !si_alloc(1));
  MU_FAILS(si_fail_memory(&error), SINEW_ERR_LIMIT,
           "stopped: the work allowed (100) is used up while sorting numbers");
  MU_CHECK(si_is_lack(SINEW_ERR_LIMIT) && !si_is_lack(SINEW_OK));
  MU_INT(sinew_budget_status(b), SINEW_ERR_LIMIT);
  sinew_budget_renew(b);
  MU_CHECK(si_work(99) && !si_stopped());
  MU_FAILS(si_fail_memory(&error), SINEW_ERR_MEMORY, "out of memory");
  sinew_budget_leave(before);
  MU_CHECK(!si_is_lack(SINEW_ERR_LIMIT) && si_is_lack(SINEW_ERR_MEMORY));
  sinew_budget_destroy(b);
}

MU_TEST(a_budget_limits_memory) {
  sinew_budget *b = budget_of(0, 1000, 0);
  sinew_budget *before = sinew_budget_enter(b);
  void *first = si_alloc(600), *second = si_alloc(400);
  si_free(first);
  first = si_alloc(600);
  void *third = si_alloc(1);
  sinew_status status = si_fail_memory(&error);
  MU_CHECK(first && second && !third && !si_work(1));
  si_free(first);
  si_free(second);
  sinew_budget_leave(before);
  MU_FAILS(status, SINEW_ERR_LIMIT, "the memory allowed (0.0 million bytes) is used up");
  MU_INT(sinew_budget_used(b).memory, 0);
  sinew_budget_destroy(b);
}

/* each look at the clock takes a second */
static uint64_t slow_clock(void *user) {
  (void)user;
  static uint64_t now;
  return now += 1000000000;
}

MU_TEST(a_budget_limits_time) {
  sinew_budget *b = budget_of(0, 0, 2.5);
  b->clock = slow_clock;
  sinew_budget *before = sinew_budget_enter(b);
  int64_t units = 0;
  while (units < 1000000 && si_work(100)) units += 100;
  sinew_status status = si_fail_memory(&error);
  sinew_budget_leave(before);
  MU_FAILS(status, SINEW_ERR_LIMIT, "stopped: the time allowed (2.5 s) is used up");
  MU_CHECK(units > 20000 && units < 35000); /* the time begins with the first of them */
  sinew_budget_destroy(b);
}

/* while a large block is zeroed */
MU_TEST(a_budget_limits_the_time_of_one_allocation) {
  sinew_budget *b = budget_of(0, 0, 2.5);
  b->clock = slow_clock;
  const size_t blocks = sinew_live_blocks();
  sinew_budget *before = sinew_budget_enter(b);
  void *small = si_alloc(1 << 20), *large = si_alloc(64 << 20);
  sinew_status status = si_fail_memory(&error);
  si_free(small);
  sinew_budget_leave(before);
  MU_CHECK(small && !large);
  MU_FAILS(status, SINEW_ERR_LIMIT, "stopped: the time allowed (2.5 s) is used up");
  MU_INT(sinew_budget_used(b).memory, 0);
  MU_INT(sinew_live_blocks(), blocks);
  sinew_budget_destroy(b);
}

MU_TEST(a_budget_inside_another_spends_from_both) {
  sinew_budget *outer = budget_of(100, 0, 0), *inner = budget_of(1000, 0, 0);
  sinew_budget_enter(outer);
  sinew_budget *before = sinew_budget_enter(inner);
  MU_CHECK(before == outer && sinew_budget_enter(outer) == inner); /* again changes nothing */
  void *block = si_alloc(64);
  MU_CHECK(si_work(90) && !si_work(20) && !si_alloc(1));
  MU_INT(sinew_budget_used(outer).memory, 64);
  si_free(block);
  MU_INT(sinew_budget_used(outer).memory + sinew_budget_used(inner).memory, 0);
  MU_FAILS(si_fail_memory(&error), SINEW_ERR_LIMIT, "(100) is used up");
  sinew_budget_leave(before);
  sinew_budget_leave(NULL);
  MU_INT(sinew_budget_status(inner), SINEW_OK);
  sinew_budget_enter(inner);
  MU_CHECK(si_work(500) && !si_work(1000));
  sinew_budget_leave(NULL);
  sinew_budget_destroy(inner);
  sinew_budget_destroy(outer);
}

static void *cancel(void *user) {
  while (sinew_budget_used(user).work < 100000) {
  }
  sinew_budget_cancel(user);
  return NULL;
}

MU_TEST(another_thread_can_cancel) {
  sinew_budget *b = budget_of(0, 0, 0);
  pthread_t thread;
  pthread_create(&thread, NULL, cancel, b);
  sinew_budget *before = sinew_budget_enter(b);
  while (sinew_budget_spend(100)) {
  }
  sinew_status status = si_fail_memory(&error);
  sinew_budget_leave(before);
  pthread_join(thread, NULL);
  MU_FAILS(status, SINEW_ERR_CANCELLED, "cancelled");
  MU_INT(sinew_budget_status(b), SINEW_ERR_CANCELLED);
  sinew_budget_destroy(b);
}

static void spend_a_thousand(void *context, int thread) {
  (void)thread;
  for (int i = 0; i < 1000; i++)
    if (!si_work(1)) atomic_fetch_add((atomic_int *)context, 1);
}

MU_TEST(threads_of_a_pool_spend_for_their_caller) {
  atomic_int refused = 0;
  sinew_budget *b = budget_of(3500, 0, 0);
  si_thread_pool *pool = MU_MADE(si_thread_pool_create(4, NULL));
  sinew_budget *before = sinew_budget_enter(b);
  si_thread_pool_run(pool, spend_a_thousand, &refused);
  sinew_budget_leave(before);
  MU_INT(sinew_budget_used(b).work, 3999); /* all but the first that is refused */
  MU_INT(refused, 500);
  si_thread_pool_run(pool, spend_a_thousand, &refused); /* outside, nothing is spent */
  MU_INT(refused, 500);
  si_thread_pool_destroy(pool);
  sinew_budget_destroy(b);
}

MU_TEST(a_step_and_its_fraction_can_be_read) {
  sinew_budget *b = budget_of(0, 0, 0);
  sinew_budget *before = sinew_budget_enter(b);
  MU_CHECK(!sinew_budget_used(b).step && sinew_budget_used(b).fraction < 0);
  const char *outer = si_step_begin("compiling");
  si_step_done(1, 4);
  MU_TEXT(sinew_budget_used(b).step, "compiling");
  MU_NEAR(sinew_budget_used(b).fraction, 0.25, 1e-6);
  const char *inner = si_step_begin("making a cone");
  MU_TEXT(sinew_budget_used(b).step, "making a cone");
  si_step_end(inner);
  MU_TEXT(sinew_budget_used(b).step, "compiling");
  si_step_end(outer);
  MU_CHECK(!sinew_budget_used(b).step);
  sinew_budget_leave(before);
  sinew_budget_destroy(b);
}

MU_TEST(a_budget_of_negative_work_is_refused) {
  sinew_budget_desc desc = sinew_default_budget_desc();
  desc.work = -1;
  MU_CHECK(!sinew_budget_create(&desc, &error));
  MU_INT(error.status, SINEW_ERR_VALUE);
  desc.size = 0;
  MU_CHECK(!sinew_budget_create(&desc, &error));
  MU_INT(error.status, SINEW_ERR_CALL);
  sinew_budget_destroy(NULL);
}

/* --- work that is stopped at each place where it spends */

static bool compile_chain(sinew_error *why) {
  sinew_budget *own = sinew_budget_enter(NULL); /* only compiling spends */
  sinew_builder *b = make_lines(NULL, "dof a -9 9; segment s0");
  for (int i = 1; i < 12; i++)
    make_lines(b, "segment s%d s%d 0,1,0; rotation r%d angle=a axis=1,0,0; drive s%d r%d", i, i - 1,
               i, i, i);
  sinew_budget_leave(own);
  sinew_rig *rig = sinew_builder_finish(b, why);
  sinew_rig_destroy(rig);
  return rig;
}

static bool read_mesh(sinew_error *why) {
  static const char text[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                             "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
  sinew_mesh *mesh = sinew_mesh_parse("a.obj", text, strlen(text), why);
  sinew_mesh_destroy(mesh);
  return mesh;
}

static bool read_motion(sinew_error *why) {
  static const char text[] = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation "
                             "Yrotation\nEnd Site\n{\nOFFSET 0 1 0\n}\n}\nMOTION\nFrames: 2\n"
                             "Frame Time: 0.1\n1 2 3\n4 5 6\n";
  sinew_motion *motion = sinew_motion_parse("a.bvh", text, strlen(text), NULL, 0, NULL, why);
  sinew_motion_destroy(motion);
  return motion;
}

static bool read_clip(sinew_error *why) {
  static const char text[] = "time,a,b\n0,1,2\n1,2,3\n2,3,4\n";
  sinew_clip *clip = sinew_clip_parse("a.csv", text, strlen(text), why);
  sinew_clip_destroy(clip);
  return clip;
}

MU_TEST(work_can_stop_at_every_place_and_leaks_nothing) {
  static bool (*const works[])(sinew_error *) = { compile_chain, read_mesh, read_motion,
                                                  read_clip };
  for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
    int stops = 0;
    bool done = false;
    size_t blocks = sinew_live_blocks();
    for (int64_t work = 1; !done && stops < 5000; stops++) {
      sinew_budget *b = budget_of(work, 0, 0);
      sinew_budget *before = sinew_budget_enter(b);
      done = works[i](&error);
      sinew_budget_leave(before);
      MU_CHECK_SAY(done || (error.status == SINEW_ERR_LIMIT && strstr(error.text, "stopped: ")),
                   "work %zu after %lld units: %s", i, (long long)work, error.text);
      sinew_budget_destroy(b);
      MU_INT(sinew_live_blocks(), blocks);
      work++;
    }
    MU_CHECK(done && stops > 10);
  }
}

MU_SUITE(budget)
