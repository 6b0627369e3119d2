/* Solids in XML: they come back with the same bits and the same text, share what is equal, and need
 * no Lua. What is refused is in test_xml_wrong.c. */
#include "sinew/xml.h"

#include "field_cases.h"
#include "minunit.h"
#include "solid_cases.h"

enum { SEGMENTS = 3 };

static sinew_rig *rig_of_three(void) {
  sinew_builder *b = sinew_builder_create("three", &error);
  static const char *const names[SEGMENTS] = { "a", "b", "c" };
  for (int i = 0; i < SEGMENTS; i++)
    sinew_add_bone(b, SINEW_ROOT, names[i], (sinew_vec3){ 0, 0, 0 });
  return make_rig(b, NULL);
}

/* the text of a rig whose segments have these solids; NULL: none */
static char *text_of(const sinew_rig *rig, sinew_solid *const solids[SEGMENTS], size_t *size) {
  char *text = NULL;
  sinew_xml_shape shapes[SEGMENTS] = { { .file = NULL } };
  for (int i = 0; i < SEGMENTS; i++) shapes[i].solid = solids[i];
  sinew_xml_desc desc = sinew_default_xml_desc();
  desc.shapes = shapes;
  sinew_xml_write(rig, &desc, &text, size, &error);
  return text;
}

static sinew_solid *solid_at(const sinew_xml *xml, int index) {
  return sinew_xml_shape_of(xml, (sinew_segment){ (uint32_t)index + 1 }).solid;
}

static bool same_distances(const sinew_solid *a, const sinew_solid *b, uint32_t *seed) {
  for (int i = 0; i < 40; i++) {
    float p[3];
    for (int k = 0; k < 3; k++) p[k] = make_between(seed, -0.3f, 0.3f);
    if (sinew_solid_distance(a, p) != sinew_solid_distance(b, p)) return false;
  }
  return true;
}

/* writes and reads three solids, and checks that they and the text come back */
static void check_come_back(sinew_solid *const solids[SEGMENTS], uint32_t seed) {
  OWNED(rig) *rig = rig_of_three();
  size_t size, again_size;
  char *text = MU_MADE_OR(text_of(rig, solids, &size), error.text);
  OWNED(xml) *xml = sinew_xml_parse("three.xml", text, size, &error);
  MU_CHECK_SAY(xml, "%s\n%s", error.text, text);
  sinew_solid *read[SEGMENTS];
  for (int i = 0; i < SEGMENTS; i++) {
    read[i] = solid_at(xml, i);
    MU_CHECK(!read[i] == !solids[i]);
    if (!read[i]) continue;
    MU_CHECK_SAY(sinew_solid_hash(read[i]) == sinew_solid_hash(solids[i]), "solid %d of seed %u", i,
                 (unsigned)seed);
    MU_INT(sinew_solid_piece_count(read[i]), sinew_solid_piece_count(solids[i]));
    MU_CHECK(same_distances(read[i], solids[i], &seed));
  }
  char *again = MU_MADE_OR(text_of(rig, read, &again_size), error.text);
  MU_CHECK_SAY(strcmp(text, again) == 0, "%s\n  becomes\n%s", text, again);
  sinew_text_free(text);
  sinew_text_free(again);
}

static void random_matrix(uint32_t *seed, float dest[16]) {
  make_frame(seed, make_index(seed, 4), dest);
  for (int i = 0; i < 12; i++)
    if (make_index(seed, 3) == 0) dest[i] *= make_between(seed, 0.5f, 2);
  if (make_index(seed, 2))
    for (int i = 0; i < 3; i++) dest[i] = -dest[i];
}

static sinew_solid *placed_randomly(const sinew_solid *solid, uint32_t *seed) {
  float matrix[16];
  sinew_solid *placed = NULL;
  while (!placed) { /* an odd matrix may have no inverse */
    random_matrix(seed, matrix);
    placed = sinew_solid_placed(solid, matrix, &error);
  }
  return placed;
}

MU_TEST(random_solids_are_restored_to_the_bit) {
  size_t before = sinew_live_blocks();
  for (int i = 0; i < mu_rounds(150); i++) {
    uint32_t seed = (uint32_t)i + 1;
    OWNED(solid) *a = MU_MADE_OR(random_solid(&seed, true), error.text);
    uint32_t same_seed = seed;
    OWNED(solid) *b = MU_MADE_OR(random_solid(&seed, true), error.text);
    /* equal, but another object */
    OWNED(solid) *twin = MU_MADE_OR(random_solid(&same_seed, true), error.text);
    OWNED(solid) *a1 = placed_randomly(a, &seed), *a2 = placed_randomly(a1, &seed);
    OWNED(solid) *b1 = placed_randomly(b, &seed);
    const sinew_solid *list[] = { a, b, twin, b1, a2, a, a1, twin };
    int count = 2 + make_index(&seed, 7);
    OWNED(solid) *all = MU_MADE(sinew_solid_merge(list, count, &error));
    OWNED(solid) *moved = placed_randomly(all, &seed);
    sinew_solid *const solids[SEGMENTS] = { all, i % 3 ? a2 : NULL, i % 2 ? moved : b };
    check_come_back(solids, seed);
  }
  MU_INT(sinew_live_blocks(), before);
}

MU_TEST(zeros_with_a_sign_and_tiny_numbers_are_restored) {
  recipe r;
  start(&r);
  add_point(&r, -0.0f, 0.1f, 1e-40f, -0.0f);
  add_point(&r, 0, -0.0f, 1e-7f, 0.02f);
  sinew_solid_element *tube = add_element(&r, SINEW_SOLID_TUBE, 2);
  tube->flat = 1.1f;
  tube->across[1] = -0.0f;
  tube->across[2] = 1;
  add_part(&r, 1, -0.0f)->inner = 1e-44f;
  r.desc.fold = -0.0f;
  OWNED(solid) *solid = MU_MADE_OR(sinew_solid_create(&r.desc, &error), error.text);
  /* a quarter turn twice, and a matrix of negative zeros */
  static const float quarter[16] = { 0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0.5f, 0, 1 };
  static const float minus[16] = { -1,    -0.0f, -0.0f, 0, -0.0f, -1, -0.0f, 0,
                                   -0.0f, -0.0f, -1,    0, -0.0f, 1,  -0.0f, 1 };
  OWNED(solid) *once = sinew_solid_placed(solid, quarter, &error);
  OWNED(solid) *twice = sinew_solid_placed(once, quarter, &error);
  OWNED(solid) *other = sinew_solid_placed(twice, minus, &error);
  check_come_back((sinew_solid *const[SEGMENTS]){ solid, twice, other }, 3);
}

MU_TEST(parts_that_share_or_skip_elements_keep_their_hash) {
  recipe r;
  start(&r);
  for (int i = 0; i < 4; i++) {
    add_point(&r, 0.1f * (float)i, 0, 0, 0.03f);
    add_element(&r, SINEW_SOLID_BALL, 1);
  }
  add_part(&r, 2, 0.01f)->first = 0;
  add_part(&r, 2, 0.02f)->first = 1; /* shares one, and leaves the last for nobody */
  OWNED(solid) *solid = MU_MADE_OR(sinew_solid_create(&r.desc, &error), error.text);
  OWNED(rig) *rig = rig_of_three();
  size_t size;
  char *text = text_of(rig, (sinew_solid *const[SEGMENTS]){ solid }, &size);
  OWNED(xml) *xml = MU_MADE_OR(sinew_xml_parse("t.xml", text, size, &error), error.text);
  sinew_text_free(text);
  MU_CHECK(sinew_solid_hash(solid_at(xml, 0)) == sinew_solid_hash(solid));
  MU_INT(sinew_solid_piece(solid_at(xml, 0), 0, NULL).element_count, 4);
  /* but not more of them than a file may have */
  static sinew_solid_part parts[SINEW_SOLID_ELEMENTS / 2 + 1];
  r.desc.parts = parts;
  r.desc.part_count = SINEW_SOLID_ELEMENTS / 2 + 1;
  for (int i = 0; i < r.desc.part_count; i++) parts[i] = (sinew_solid_part){ .count = 2 };
  MU_REFUSED(sinew_solid_create(&r.desc, &error), "more than 1024 elements");
  r.desc.part_count--;
  OWNED(solid) *most = MU_MADE_OR(sinew_solid_create(&r.desc, &error), error.text);
}

MU_TEST(a_solid_is_written_readably) {
  recipe r;
  start(&r);
  add_point(&r, 0, 0.1f, 0, 0.02f);
  add_point(&r, 0.001f, 0, -0.25f, 0.0105f);
  add_element(&r, SINEW_SOLID_CONE, 2);
  sinew_solid_element *drum = add_element(&r, SINEW_SOLID_DRUM, 1);
  for (int k = 0; k < 3; k++) drum->radii[k] = 0.01f * (float)(k + 1);
  drum->turn[1] = 20;
  add_part(&r, 2, 0.004f);
  add_point(&r, 0, 0, 0, 0);
  sinew_solid_element *tube = add_element(&r, SINEW_SOLID_TUBE, 3);
  tube->flat = 2;
  tube->across[0] = 1;
  sinew_solid_part *part = add_part(&r, 1, 0);
  part->inner = 0.003f;
  part->smooth = 2;
  part->cut = true;
  r.desc.cell = 0.002f;
  r.desc.mirror = true;
  r.desc.fold = 0.001f;
  OWNED(solid) *solid = MU_MADE_OR(sinew_solid_create(&r.desc, &error), error.text);
  static const float up[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0.5f, 0, 1 };
  static const float across[16] = { -1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1 };
  OWNED(solid) *higher = sinew_solid_placed(solid, up, &error);
  OWNED(solid) *mirrored = sinew_solid_placed(solid, across, &error);
  const sinew_solid *list[] = { solid, higher, mirrored };
  OWNED(solid) *all = sinew_solid_merge(list, 3, &error);
  OWNED(rig) *rig = rig_of_three();
  size_t size;
#define SOLID                                                                                      \
  "      <shape>\n"                                                                                \
  "        <solid cell=\"0.002\" mirror=\"true\" fold=\"0.001\">\n"                                \
  "          <point at=\"0 0.1 0\" radius=\"0.02\"/>\n"                                            \
  "          <point at=\"0.001 0 -0.25\" radius=\"0.0105\"/>\n"                                    \
  "          <point at=\"0 0 0\"/>\n"                                                              \
  "          <part blend=\"0.004\">\n"                                                             \
  "            <cone points=\"0 1\"/>\n"                                                           \
  "            <drum points=\"1\" radii=\"0.01 0.02 0.03\" turn=\"0 20 0\"/>\n"                    \
  "          </part>\n"                                                                            \
  "          <part inner=\"0.003\" smooth=\"2\" cut=\"true\">\n"                                   \
  "            <tube points=\"0 1 2\" flat=\"2\" across=\"1 0 0\"/>\n"                             \
  "          </part>\n"
#define END                                                                                        \
  "        </solid>\n"                                                                             \
  "      </shape>\n"
  char *text = text_of(rig, (sinew_solid *const[SEGMENTS]){ solid, all }, &size);
  MU_HAS(text, SOLID END);
  MU_HAS(text, SOLID "          <place/>\n"
                     "          <place at=\"0 0.5 0\"/>\n"
                     "          <place matrix=\"-1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1\"/>\n" END);
  sinew_text_free(text);
}

MU_TEST(equal_recipes_are_shared_after_reading) {
#define BALL(radius) "<point at='0 0 0' radius='" radius "'/><part><ball points='0'/></part>"
  static const char text[] =
      "<rig version='1' name='r'><segments>"
      "<segment name='a'><shape><solid>" BALL(
          "0.1") "</solid></shape></segment>"
                 "<segment name='b'><shape><solid>" BALL(
                     "0.10") "<place at='1 0 0'/><place at='2 0 0'/>"
                             "</solid><solid>" BALL(
                                 "0.2") "</solid></shape></segment>"
                                        "<segment name='c'><shape><solid cell='0.01'>" BALL(
                                            "0.1") "</solid></shape></segment>"
                                                   "<segment name='d'><shape><solid>" BALL(
                                                       "0.1") "</solid></shape></segment>"
                                                              "</segments></rig>";
  OWNED(xml) *xml = MU_MADE_OR(sinew_xml_parse("t.xml", text, strlen(text), &error), error.text);
  const sinew_solid *a = solid_at(xml, 0), *b = solid_at(xml, 1), *c = solid_at(xml, 2);
  const sinew_solid_point *shared = sinew_solid_piece(a, 0, NULL).points;
  MU_INT(sinew_solid_piece_count(b), 3);
  float matrix[16];
  MU_CHECK(sinew_solid_piece(b, 0, matrix).points == shared && matrix[12] == 1);
  MU_CHECK(sinew_solid_piece(b, 1, matrix).points == shared && matrix[12] == 2);
  MU_NEAR(sinew_solid_piece(b, 2, NULL).points[0].radius, 0.2f, 0);
  MU_CHECK(sinew_solid_piece(c, 0, NULL).points != shared);
  MU_CHECK(solid_at(xml, 3) == a);
  const float at[3] = { 1.5f, 0, 0 };
  MU_NEAR(sinew_solid_distance(b, at), 0.4f, 1e-6);
}

MU_TEST(a_solid_gives_back_its_desc) {
  recipe r;
  start(&r);
  uint32_t seed = 5;
  for (int i = 0; i < 3; i++) add_random_element(&r, &seed);
  add_part(&r, 3, 0.01f)->smooth = 1;
  r.desc.fold = 0.002f;
  sinew_solid *solid = MU_MADE_OR(sinew_solid_create(&r.desc, &error), error.text);
  static const float up[16] = { 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0.5f, 0, 1 };
  OWNED(solid) *placed = MU_MADE(sinew_solid_placed(solid, up, &error));
  sinew_solid_release(solid);
  float matrix[16];
  MU_INT(sinew_solid_piece_count(placed), 1);
  sinew_solid_desc d = sinew_solid_piece(placed, 0, matrix);
  MU_CHECK(memcmp(matrix, up, sizeof up) == 0);
  MU_CHECK(d.size == sizeof d && d.point_count == r.desc.point_count && d.part_count == 1);
  MU_CHECK(d.cell == 0 && d.fold == 0.002f && !d.mirror && d.element_count == 3);
  MU_CHECK(memcmp(d.points, r.points, (size_t)d.point_count * sizeof *d.points) == 0);
  MU_CHECK(memcmp(d.indices, r.indices, (size_t)d.index_count * sizeof *d.indices) == 0);
  MU_CHECK(memcmp(d.elements, r.elements, 3 * sizeof *d.elements) == 0);
  MU_INT(d.parts[0].smooth, 1);
  for (int i = 0; i < SINEW_SOLID_KIND_COUNT; i++)
    MU_CHECK(sinew_solid_kind_name((sinew_solid_kind)i));
  MU_CHECK(!sinew_solid_kind_name(SINEW_SOLID_KIND_COUNT));
}

/* --- memory */

typedef struct scarcity {
  const sinew_rig *rig;
  sinew_solid *solids[SEGMENTS];
  const char *text;
  size_t size;
} scarcity;

static bool write_scarcely(void *context) {
  const scarcity *s = context;
  size_t size;
  char *text = text_of(s->rig, s->solids, &size);
  bool made = text != NULL;
  sinew_text_free(text);
  return made;
}

static bool read_scarcely(void *context) {
  const scarcity *s = context;
  sinew_xml *xml = sinew_xml_parse("test.xml", s->text, s->size, &error);
  sinew_xml_destroy(xml);
  return xml != NULL;
}

MU_TEST(solids_in_xml_survive_every_failing_allocation) {
  uint32_t seed = 8;
  OWNED(rig) *rig = rig_of_three();
  OWNED(solid) *a = random_solid(&seed, true), *b = random_solid(&seed, false);
  OWNED(solid) *moved = placed_randomly(b, &seed);
  OWNED(solid) *all = sinew_solid_merge((const sinew_solid *[]){ a, b, moved }, 3, &error);
  scarcity s = { .rig = rig, .solids = { all, b, a } };
  char *text = text_of(rig, s.solids, &s.size);
  s.text = text;
  MU_CHECK(case_survives_failing_memory(write_scarcely, &s));
  MU_CHECK(case_survives_failing_memory(read_scarcely, &s));
  sinew_text_free(text);
}

MU_SUITE(xml_solid)
