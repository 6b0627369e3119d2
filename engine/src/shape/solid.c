/* Solids: placing, merging, and which mesh is made when. */
#include "shape/solid_internal.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/budget_internal.h"
#include "math/wide.h"

sinew_solid_desc sinew_default_solid_desc(void) {
  return (sinew_solid_desc){ .size = sizeof(sinew_solid_desc) };
}

sinew_solid_options sinew_default_solid_options(void) {
  return (sinew_solid_options){ .size = sizeof(sinew_solid_options) };
}

const char *sinew_solid_kind_name(sinew_solid_kind kind) {
  static const char *const names[] = { "ball", "cone", "wedge", "tube", "ellipsoid", "drum" };
  return (unsigned)kind < SINEW_SOLID_KIND_COUNT ? names[kind] : NULL;
}

static sinew_solid *solid_alloc(int count, sinew_error *error) {
  sinew_solid *s = si_alloc(sizeof *s + (size_t)count * sizeof *s->pieces);
  if (!s) return si_memory_null(error);
  atomic_init(&s->references, 1);
  s->count = count;
  return s;
}

sinew_solid *sinew_solid_create(const sinew_solid_desc *desc, sinew_error *error) {
  sinew_solid_desc own = sinew_default_solid_desc();
  sinew_error_clear(error);
  if (!SI_EXPECT(desc) || !SI_TAKE_DESC(solid_desc, desc, &own, error)) return NULL;
  if (si_recipe_check(desc, error) < 0) return NULL;
  sinew_solid *s = solid_alloc(1, error);
  si_recipe *r = s ? si_recipe_create(desc, error) : NULL;
  if (!r) {
    si_free(s);
    return NULL;
  }
  si_piece *piece = &s->pieces[0];
  piece->recipe = r;
  piece->scale = 1;
  for (int k = 0; k < 4; k++) piece->matrix[5 * k] = piece->inverse[5 * k] = 1;
  return s;
}

sinew_solid *sinew_solid_retain(sinew_solid *solid) {
  if (solid) atomic_fetch_add(&solid->references, 1);
  return solid;
}

void sinew_solid_release(sinew_solid *solid) {
  if (!solid || atomic_fetch_sub(&solid->references, 1) != 1) return;
  for (int i = 0; i < solid->count; i++) si_recipe_release(solid->pieces[i].recipe);
  si_free(solid);
}

/* Matrices that keep the bottom row 0 0 0 1; cglm's want aligned memory. Never gives -0, so that a
 * matrix times the identity is the same to the bit. */
static void multiply(const float *a, const float *b, float *dest) {
  for (int c = 0; c < 4; c++)
    for (int r = 0; r < 4; r++)
      dest[4 * c + r] = a[r] * b[4 * c] + a[4 + r] * b[4 * c + 1] + a[8 + r] * b[4 * c + 2] +
                        a[12 + r] * b[4 * c + 3] + 0.0f;
}

/* returns the determinant, 0 if there is no inverse */
static double invert(const float *m, float *dest) {
  double x[3], y[3], z[3], rows[3][3];
  si_wide(m, x);
  si_wide(m + 4, y);
  si_wide(m + 8, z);
  si_wide_cross(y, z, rows[0]);
  si_wide_cross(z, x, rows[1]);
  si_wide_cross(x, y, rows[2]);
  double determinant = si_wide_dot(x, rows[0]);
  double size = si_wide_length(x) * si_wide_length(y) * si_wide_length(z);
  if (!(fabs(determinant) > 1e-9 * size) || !isfinite(determinant)) return 0;
  for (int r = 0; r < 3; r++) {
    double shift = 0;
    for (int c = 0; c < 3; c++) {
      dest[4 * c + r] = (float)(rows[r][c] / determinant);
      shift -= rows[r][c] / determinant * (double)m[12 + c];
    }
    dest[12 + r] = (float)shift;
    dest[4 * r + 3] = 0;
  }
  dest[15] = 1;
  return determinant;
}

sinew_solid *sinew_solid_placed(const sinew_solid *solid, const float matrix[16],
                                sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(solid && matrix)) return si_fail_null(error, SINEW_ERR_CALL, "solid: no matrix");
  sinew_solid *s = solid_alloc(solid->count, error);
  for (int i = 0; s && i < s->count; i++) {
    const si_piece *from = &solid->pieces[i];
    si_piece *to = &s->pieces[i];
    multiply(matrix, from->matrix, to->matrix);
    double determinant = invert(to->matrix, to->inverse);
    if (!si_all_small(to->matrix, 16) || determinant == 0) {
      s->count = i;
      sinew_solid_release(s);
      return si_fail_null(error, SINEW_ERR_VALUE, "solid: the matrix has no inverse");
    }
    to->scale = (float)cbrt(fabs(determinant));
    to->mirrors = determinant < 0;
    to->recipe = from->recipe;
    atomic_fetch_add(&to->recipe->references, 1);
  }
  return s;
}

sinew_solid *sinew_solid_merge(const sinew_solid *const *solids, int count, sinew_error *error) {
  int pieces = 0;
  sinew_error_clear(error);
  if (!SI_EXPECT(solids && count > 0)) return si_fail_null(error, SINEW_ERR_CALL, "solid: none");
  for (int i = 0; i < count; i++) {
    if (!SI_EXPECT(solids[i])) return si_fail_null(error, SINEW_ERR_CALL, "solid: none");
    if (solids[i]->count > SINEW_SOLID_ELEMENTS - pieces)
      return si_fail_null(error, SINEW_ERR_LIMIT, "solid: merges more than %d solids",
                          SINEW_SOLID_ELEMENTS);
    pieces += solids[i]->count;
  }
  sinew_solid *s = solid_alloc(pieces, error);
  pieces = 0;
  for (int i = 0; s && i < count; i++)
    for (int k = 0; k < solids[i]->count; k++) {
      s->pieces[pieces] = solids[i]->pieces[k];
      atomic_fetch_add(&s->pieces[pieces++].recipe->references, 1);
    }
  return s;
}

int sinew_solid_piece_count(const sinew_solid *solid) {
  return SI_EXPECT(solid) ? solid->count : 0;
}

sinew_solid_desc sinew_solid_piece(const sinew_solid *solid, int index, float dest_matrix[16]) {
  if (!SI_EXPECT(solid && index >= 0 && index < solid->count)) return sinew_default_solid_desc();
  const si_piece *piece = &solid->pieces[index];
  if (dest_matrix) memcpy(dest_matrix, piece->matrix, sizeof piece->matrix);
  return piece->recipe->desc;
}

static void transform(const float m[16], const float *p, float w, float *dest) {
  for (int k = 0; k < 3; k++)
    dest[k] = m[k] * p[0] + m[4 + k] * p[1] + m[8 + k] * p[2] + m[12 + k] * w;
}

float sinew_solid_distance(const sinew_solid *solid, const float point[3]) {
  float least = 1e9f;
  if (!SI_EXPECT(solid && point)) return least;
  for (int i = 0; i < solid->count; i++) {
    const si_piece *piece = &solid->pieces[i];
    float p[3];
    transform(piece->inverse, point, 1, p);
    si_work(3 * (size_t)piece->recipe->prim_count); /* the caller stops */
    float d = piece->scale * si_recipe_distance(piece->recipe, p);
    if (d < least) least = d;
  }
  return least;
}

uint64_t sinew_solid_hash(const sinew_solid *solid) {
  uint64_t hash = SI_HASH_START;
  if (!SI_EXPECT(solid)) return 1;
  for (int i = 0; i < solid->count; i++) {
    hash = si_hash(hash, &solid->pieces[i].recipe->hash, sizeof(uint64_t));
    hash = si_hash(hash, solid->pieces[i].matrix, sizeof solid->pieces[i].matrix);
  }
  return hash ? hash : 1;
}

/* --- meshes */

/* A coarse mesh has cells larger than a thin sheet, which would come out in tatters: its radii are
 * at least this many cells. */
static const float thick = 0.75f;
static const float coarse_cell = 2.5f, fine_tolerance = 0.12f, low_tolerance = 0.4f;

static sinew_mesh *make_coarse(const si_recipe *r, float cell, sinew_error *error) {
  si_recipe thicker = *r;
  thicker.prims = si_alloc_array((size_t)r->prim_count, sizeof *r->prims);
  if (!thicker.prims) return si_memory_null(error);
  for (int i = 0; i < r->prim_count; i++) {
    si_prim *p = &thicker.prims[i];
    *p = r->prims[i];
    bool round = p->kind == SI_PRIM_ELLIPSOID || p->kind == SI_PRIM_DRUM;
    if (r->parts[p->part].cut || round) continue;
    p->ra = fmaxf(p->ra, thick * cell);
    p->rb = fmaxf(p->rb, thick * cell);
    p->rc = fmaxf(p->rc, thick * cell);
    if (p->kind == SI_PRIM_CONE && fabsf(p->ra - p->rb) >= si_length3(p->b)) p->kind = SI_PRIM_LINE;
    si_prim_bound(p);
  }
  sinew_mesh *mesh = si_recipe_mesh(&thicker, cell, 0.1f * cell, error);
  si_free(thicker.prims);
  return mesh;
}

static uint64_t key_of(const si_recipe *r, sinew_solid_level level, float cell) {
  const int number = (int)level;
  return si_hash(si_hash(r->hash, &number, sizeof number), &cell, sizeof cell);
}

/* A mesh of a recipe from the cache, or a new one; `fine` is the fine one if it is known. Coarse
 * ones are made faster than read. */
static sinew_mesh *find_or_make(const si_recipe *r, const sinew_solid_options *o,
                                sinew_solid_level level, float cell, const sinew_mesh *fine,
                                sinew_error *error) {
  const char *cache = level == SINEW_SOLID_COARSE ? NULL : o->cache;
  const uint64_t key = key_of(r, level, cell);
  sinew_mesh *mesh = cache ? si_solid_cache_load(cache, key) : NULL;
  if (mesh) return mesh;
  if (o->made_before)
    return si_fail_null(error, SINEW_ERR_LIMIT, "solid: its mesh was not made yet");
  if (level == SINEW_SOLID_COARSE) return make_coarse(r, coarse_cell * cell, error);
  if (level == SINEW_SOLID_LOW) {
    sinew_mesh *own = NULL;
    if (!fine) fine = own = find_or_make(r, o, SINEW_SOLID_FINE, cell, NULL, error);
    mesh = fine ? si_mesh_fewer(fine, low_tolerance * cell, error) : NULL;
    sinew_mesh_destroy(own);
  } else {
    mesh = si_recipe_mesh(r, cell, fine_tolerance * cell, error);
  }
  if (mesh && cache)
    si_solid_cache_save(cache, key, mesh, o->cache_bytes ? o->cache_bytes : 64u << 20);
  return mesh;
}

/* The mesh of one recipe. With the usual cell it is kept in the recipe; else it is the caller's, in
 * *own. */
static const sinew_mesh *recipe_level(si_recipe *r, const sinew_solid_options *o, sinew_mesh **own,
                                      sinew_error *error) {
  const bool usual = !(o->cell > 0) || o->cell == r->cell;
  *own = NULL;
  if (!usual) return *own = find_or_make(r, o, o->level, o->cell, NULL, error);
  pthread_mutex_lock(&r->lock);
  sinew_mesh **kept = &r->made[o->level];
  if (!*kept) *kept = find_or_make(r, o, o->level, r->cell, r->made[SINEW_SOLID_FINE], error);
  const sinew_mesh *mesh = *kept;
  pthread_mutex_unlock(&r->lock);
  return mesh;
}

/* adds a piece's mesh to `dest`, at a vertex and a triangle */
static void add_piece(const si_piece *piece, const sinew_mesh *from, sinew_mesh *dest, int vertex,
                      int triangle) {
  for (int i = 0; i < from->vertex_count; i++) {
    float *n = dest->normals + 3 * (vertex + i);
    const float *given = from->normals + 3 * i;
    transform(piece->matrix, from->vertices + 3 * i, 1, dest->vertices + 3 * (vertex + i));
    /* by the transposed inverse */
    for (int k = 0; k < 3; k++)
      n[k] = piece->inverse[4 * k] * given[0] + piece->inverse[4 * k + 1] * given[1] +
             piece->inverse[4 * k + 2] * given[2];
    float length = si_length3(n);
    for (int k = 0; k < 3; k++) n[k] = length > 0 ? n[k] / length : given[k];
  }
  memcpy(dest->occlusion + vertex, from->occlusion, (size_t)from->vertex_count);
  for (int i = 0; i < from->triangle_count; i++) {
    const uint32_t *t = from->triangles + 3 * i, first = (uint32_t)vertex;
    uint32_t *to = dest->triangles + 3 * (triangle + i);
    to[0] = first + t[0];
    to[1] = first + t[piece->mirrors ? 2 : 1];
    to[2] = first + t[piece->mirrors ? 1 : 2];
  }
}

static sinew_mesh *join_pieces(const sinew_solid *solid, const sinew_mesh *const *made,
                               sinew_error *error) {
  size_t vertices = 0, triangles = 0;
  for (int i = 0; i < solid->count; i++) {
    vertices += (size_t)made[i]->vertex_count;
    triangles += (size_t)made[i]->triangle_count;
  }
  if (vertices > SINEW_MESH_VERTICES || triangles > SINEW_MESH_TRIANGLES)
    return si_fail_null(error, SINEW_ERR_LIMIT,
                        "solid: has more than %d triangles; use larger cells",
                        SINEW_MESH_TRIANGLES);
  sinew_mesh *mesh = si_mesh_make(vertices, triangles, true, error);
  int vertex = 0, triangle = 0;
  for (int i = 0; mesh && i < solid->count; i++) {
    add_piece(&solid->pieces[i], made[i], mesh, vertex, triangle);
    vertex += made[i]->vertex_count;
    triangle += made[i]->triangle_count;
  }
  return mesh;
}

sinew_mesh *sinew_solid_mesh(const sinew_solid *solid, const sinew_solid_options *options,
                             sinew_error *error) {
  sinew_solid_options own = sinew_default_solid_options();
  sinew_error_clear(error);
  if (!SI_EXPECT(solid)) return si_fail_null(error, SINEW_ERR_CALL, "solid: none");
  if (!SI_TAKE_DESC(solid_options, options, &own, error)) return NULL;
  if (!options) options = &own;
  if ((unsigned)options->level >= SINEW_SOLID_LEVEL_COUNT || !(options->cell >= 0))
    return si_fail_null(error, SINEW_ERR_VALUE, "solid: no such level or cell");
  const sinew_mesh **made = si_alloc_array(2 * (size_t)solid->count, sizeof *made);
  if (!made) return si_memory_null(error);
  sinew_mesh **owned = (sinew_mesh **)(void *)(made + solid->count), *mesh = NULL;
  int count = 0;
  for (; count < solid->count; count++) {
    made[count] = recipe_level(solid->pieces[count].recipe, options, &owned[count], error);
    if (!made[count]) break;
  }
  if (count == solid->count) mesh = join_pieces(solid, made, error);
  for (int i = 0; i < count; i++) sinew_mesh_destroy(owned[i]);
  si_free(made);
  return mesh;
}
