/* The field file: restored to the bit, and refused if it is truncated, altered or impossible. */
#include "field_cases.h"
#include "fixture.h"
#include "minunit.h"
#include "owned.h"

#include <stdlib.h>
#include <unistd.h>

enum { HEAD = 36, AXIS = 16 };

static float samples[60 * SI_AXES];

static sinew_field *some_field(int axes) {
  sinew_field_desc desc = case_desc(axes, 200);
  case_path(&desc, 60, samples);
  return case_field(&desc, samples, 60);
}

static unsigned char *encode(const sinew_field *field, size_t *size) {
  *size = sinew_field_encoded_bytes(field);
  unsigned char *bytes = malloc(*size + 1);
  sinew_field_encode(field, bytes);
  return bytes;
}

/* recomputes the checksum, as an attacker would */
static void seal(unsigned char *bytes, size_t size) {
  unsigned long long sum = 0xcbf29ce484222325ull;
  for (size_t i = 0; i + 8 < size; i++) sum = (sum ^ bytes[i]) * 0x100000001b3ull;
  for (int i = 0; i < 8; i++) bytes[size - 8 + (size_t)i] = (unsigned char)(sum >> 8 * i);
}

static bool same_field(const sinew_field *a, const sinew_field *b) {
  size_t n = (size_t)a->grid.axis_count, nodes = a->grid.nodes;
  return a->grid.nodes == b->grid.nodes && a->epsilon == b->epsilon && a->accept == b->accept &&
         a->sculpted == b->sculpted && a->components == b->components &&
         memcmp(&a->grid, &b->grid, sizeof a->grid) == 0 &&
         memcmp(a->orders, b->orders, sizeof a->orders) == 0 &&
         memcmp(a->phi, b->phi, nodes * sizeof(float)) == 0 &&
         memcmp(a->nearest, b->nearest, nodes * n * sizeof(float)) == 0;
}

MU_TEST(a_field_is_restored_to_the_bit) {
  case_seed(30);
  for (int round = 0; round < 24; round++) {
    sinew_field *field = some_field(1 + round % SI_AXES), *back;
    size_t size;
    unsigned char *bytes = encode(field, &size);
    back = sinew_field_decode("memory", bytes, size, 0, &error);
    MU_CHECK_SAY(back, "%s", error.text);
    MU_CHECK(same_field(field, back));
    MU_INT(sinew_field_bytes(back), sinew_field_bytes(field));
    sinew_field_release(field);
    sinew_field_release(back);
    free(bytes);
  }
}

MU_TEST(the_file_is_the_same_on_every_machine) {
  sinew_field_desc desc = sinew_default_field_desc(1);
  desc.axes[0] = (sinew_field_axis){ -1, 1, 2, false };
  OWNED(field) *field = case_field(&desc, (float[]){ -1 }, 1);
  size_t size;
  unsigned char *bytes = encode(field, &size);
  static const unsigned char start[] = { 'S', 'I', 'N', 'E', 'W', 'F', 'L', 'D', 1,   0,
                                         0,   0,   1,   0,   0,   0,   0,   0,   0,   0,
                                         1,   0,   0,   0,   0,   0,   128, 63,  0,   0,
                                         0,   0,   0,   0,   0,   0,   0,   0,   128, 191 };
  MU_INT(size, 36 + 16 + 2 * 4 + 2 * 4 + 8);
  MU_CHECK(memcmp(bytes, start, sizeof start) == 0);
  free(bytes);
}

MU_TEST(every_changed_bit_is_refused) {
  case_seed(31);
  for (int axes = 1; axes <= 3; axes++) {
    OWNED(field) *field = some_field(axes);
    size_t size;
    unsigned char *bytes = encode(field, &size);
    size_t before = sinew_live_blocks();
    for (size_t i = 0; i < size; i += i < 200 ? 1 : (size_t)(100000 / mu_rounds(100000)))
      for (int bit = 0; bit < 8; bit++) {
        bytes[i] ^= (unsigned char)(1 << bit);
        MU_CHECK_SAY(!sinew_field_decode("memory", bytes, size, 0, &error), "byte %zu bit %d", i,
                     bit);
        MU_CHECK(error.count == 1 && strncmp(error.text, "memory: ", 8) == 0);
        bytes[i] ^= (unsigned char)(1 << bit);
      }
    MU_INT(sinew_live_blocks(), before);
    free(bytes);
  }
}

MU_TEST(every_truncated_or_extended_file_is_refused) {
  case_seed(32);
  OWNED(field) *field = some_field(2);
  size_t size;
  unsigned char *bytes = encode(field, &size);
  for (size_t cut = 0; cut < size; cut++) {
    /* a copy of exactly this size, so that a sanitizer sees a read past its end */
    unsigned char *piece = malloc(cut ? cut : 1);
    memcpy(piece, bytes, cut);
    bool refused = !sinew_field_decode("memory", piece, cut, 0, &error);
    free(piece);
    MU_CHECK_SAY(refused, "cut at %zu", cut);
    MU_HAS(error.text, cut < 8 ? "not a field file" : "is cut short");
  }
  bytes[size] = 0;
  MU_REFUSED(sinew_field_decode("memory", bytes, size + 1, 0, &error), "is too long");
  free(bytes);
}

MU_TEST(impossible_values_with_a_correct_checksum_are_refused) {
  static const struct {
    size_t at; /* the offset of a word; above the size it counts from the end */
    uint32_t word;
    const char *text;
  } wrong[] = {
    { 8, 2, "unsupported field version 2; this program reads version 1" },
    { 12, 0, "0 axes" },
    { 12, 7, "7 axes" },
    { 12, 0x10002, "is damaged" },
    { 16, 2, "is damaged" },
    { 20, 0xffffffff, "is damaged" },
    { 24, 0x7fc00000, "epsilon is not finite" },
    { 24, 0xbf800000, "is damaged" },
    { 28, 0x00717a79, "is not an Euler order" },
    { 28, 0x007a797a, "the order 'zyz' needs axes 1 to 3" },
    { HEAD, 0x7f800000, "its range is not finite" },
    { HEAD, 0x49742400, "range 1000000 to" },
    { HEAD + 8, 1, "resolution 1" },
    { HEAD + 8, 0xffffffff, "resolution -1" },
    { HEAD + 8, 4096, "is cut short" },
    { HEAD + 8, 2, "is too long" },
    { HEAD + 12, 2, "is damaged" },
    { HEAD + 2 * AXIS, 0x7fc00000, "a distance or place in it is impossible" },
    { HEAD + 2 * AXIS, 0xff800000, "a distance or place in it is impossible" },
    { 1, 0x7f800000, "a distance or place in it is impossible" },
    { 1, 0x45000000, "a distance or place in it is impossible" },
  };
  case_seed(33);
  sinew_field_desc desc = sinew_default_field_desc(2);
  for (int i = 0; i < 2; i++) desc.axes[i].resolution = 5;
  case_path(&desc, 60, samples);
  OWNED(field) *field = case_field(&desc, samples, 60);
  size_t size;
  unsigned char *bytes = encode(field, &size);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    unsigned char *copy = malloc(size);
    memcpy(copy, bytes, size);
    size_t at = wrong[i].at == 1 ? size - 12 : wrong[i].at;
    for (int k = 0; k < 4; k++) copy[at + (size_t)k] = (unsigned char)(wrong[i].word >> 8 * k);
    seal(copy, size);
    bool refused = !sinew_field_decode("memory", copy, size, 0, &error);
    free(copy);
    MU_CHECK_SAY(refused, "case %zu", i);
    MU_HAS(error.text, wrong[i].text);
  }
  MU_CHECK(!sinew_field_decode("memory", bytes, size, sinew_field_bytes(field) - 1, &error));
  MU_INT(error.status, SINEW_ERR_LIMIT);
  free(bytes);
}

/* a folder of this test's own */
static const char *folder(void) {
  static char name[] = "/tmp/sinew-field-XXXXXX";
  static bool made;
  if (!made) made = mkdtemp(name) != NULL;
  return name;
}

MU_TEST(field_files_are_written_whole_and_read_back) {
  char path[256], missing[300];
  case_seed(34);
  sinew_field *field = some_field(3), *back;
  snprintf(path, sizeof path, "%s/limit.field", folder());
  snprintf(missing, sizeof missing, "%s/no/such.field", folder());
  for (int twice = 0; twice < 2; twice++) MU_INT(sinew_field_save(field, path, &error), SINEW_OK);
  back = sinew_field_load(path, 0, &error);
  MU_CHECK_SAY(back, "%s", error.text);
  MU_CHECK(same_field(field, back));
  sinew_field_release(back);

  MU_FAILS(sinew_field_save(field, missing, &error), SINEW_ERR_FILE, "no/such.field: cannot write");
  MU_REFUSED(sinew_field_load(missing, 0, &error), "no/such.field: cannot open");
  MU_REFUSED(sinew_field_load(folder(), 0, &error), "cannot read");
  MU_CHECK(!sinew_field_load(path, 100, &error));
  MU_INT(error.status, SINEW_ERR_LIMIT);
  /* a folder cannot be overwritten, and no temporary file remains */
  MU_INT(sinew_field_save(field, folder(), &error), SINEW_ERR_FILE);
  sinew_field_release(field);
  MU_INT(remove(path), 0);
  MU_INT(rmdir(folder()), 0);
}

typedef struct stored {
  unsigned char *bytes;
  size_t size;
} stored;

static bool load_some(void *context) {
  stored *s = context;
  sinew_field *field = sinew_field_decode("memory", s->bytes, s->size, 0, &error);
  if (!field && error.status != SINEW_ERR_MEMORY) abort();
  sinew_field_release(field);
  return field != NULL;
}

static bool save_and_load_some(void *context) {
  char path[64];
  OWNED(field) *field = NULL;
  snprintf(path, sizeof path, "/tmp/sinew-field-%ld", (long)getpid());
  if (sinew_field_save(context, path, &error) == SINEW_OK)
    field = sinew_field_load(path, 0, &error);
  bool ok = field != NULL;
  if (!ok && error.status != SINEW_ERR_MEMORY) abort();
  remove(path);
  return ok;
}

MU_TEST(loading_and_saving_survive_failing_memory) {
  OWNED(field) *field = some_field(2);
  stored s;
  s.bytes = encode(field, &s.size);
  bool loads = case_survives_failing_memory(load_some, &s);
  bool saves = case_survives_failing_memory(save_and_load_some, field);
  free(s.bytes);
  MU_CHECK(loads);
  MU_CHECK(saves);
}

MU_SUITE(field_file)
