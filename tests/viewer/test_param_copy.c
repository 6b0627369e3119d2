/* Parameters that own what they point to. */
#include "minunit.h"
#include "owned.h"
#include "plain/param_copy.h"

#include <stdlib.h>

static int held; /* references to the object */

static void retain(void *object) { (void)object, held++; }
static void release(void *object) { (void)object, held--; }
static const sinew_object_class thing = { "thing", retain, release };

enum { kinds = 10 };

/* one parameter of each type; `other` has another value of the same type and name */
static sinew_param sample(int kind, bool other, sinew_curve **curve) {
  static float numbers[6] = { 1, 2, 3, 4, 5, 6 }, more[6] = { 1, 2, 3, 4, 5, 7 };
  static int objects[2];
  float m[16] = { [0] = 1, [5] = 1, [10] = 1, [12] = other, [15] = 1 };
  sinew_curve_desc desc = sinew_default_curve_desc();
  desc.points = other ? more : numbers;
  desc.point_count = 3;
  switch (kind) {
  case 0: return sinew_param_number("p", other ? 2 : 1);
  case 1: return sinew_param_flag("p", other);
  case 2: return sinew_param_vector("p", 1, 2, other ? 4 : 3);
  case 3: return sinew_param_matrix("p", m);
  case 4: return sinew_param_numbers("p", other ? more : numbers, 6);
  case 5: return sinew_param_vectors("p", other ? more : numbers, 2);
  case 6: return sinew_param_text("p", other ? "zyx" : "xyz");
  case 7: return sinew_param_curve("p", *curve = sinew_curve_create(&desc, NULL));
  case 8: return sinew_param_object("p", &thing, &objects[other]);
  default: return other ? sinew_param_number("p", 0) : sinew_param_none("p");
  }
}

MU_TEST(param_copies_are_equal_and_independent) {
  for (int kind = 0; kind < kinds; kind++) {
    OWNED(curve) *a = NULL, *b = NULL;
    sinew_param one = sample(kind, false, &a), two = sample(kind, true, &b), kept, again;
    MU_CHECK(param_keep(&one, &kept));
    MU_CHECK(param_keep(&kept, &again));
    MU_CHECK_SAY(param_same(&one, &kept) && param_same(&kept, &again), "kind %d differs", kind);
    MU_CHECK_SAY(!param_same(&one, &two) && !param_same(&two, &kept), "kind %d is alike", kind);
    MU_CHECK(kept.name != one.name);
    MU_CHECK(!kept.numbers || kept.numbers != one.numbers);
    MU_CHECK(!kept.curve || kept.curve != one.curve);
    MU_INT(held, kind == 8 ? 2 : 0);
    param_drop(&kept);
    MU_CHECK(strcmp(again.name, "p") == 0); /* not the copy's */
    param_drop(&again);
    param_drop(&again);
    MU_INT(held, 0);
  }
}

MU_TEST(params_of_other_names_types_and_lengths_differ) {
  float numbers[3] = { 1, 2, 3 };
  sinew_param a = sinew_param_numbers("a", numbers, 3),
              shorter = sinew_param_numbers("a", numbers, 2);
  sinew_param b = sinew_param_numbers("b", numbers, 3),
              vector = sinew_param_vectors("a", numbers, 1);
  MU_CHECK(param_same(&a, &a));
  MU_CHECK(!param_same(&a, &b));
  MU_CHECK(!param_same(&a, &shorter));
  MU_CHECK(!param_same(&a, &vector));
  sinew_param none = sinew_param_numbers("a", NULL, 0), kept;
  MU_CHECK(param_keep(&none, &kept));
  MU_CHECK(param_same(&none, &kept));
  param_drop(&kept);
}

MU_SUITE(param_copy)
