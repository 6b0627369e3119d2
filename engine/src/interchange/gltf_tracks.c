/* Keyframe reduction: keeps as few frames as possible so that interpolating between them (lerp for
 * positions, slerp for rotations) stays within the tolerance.
 *
 * Each track is simplified by itself (Ramer 1972; Douglas and Peucker 1973): between two keys the
 * frame with the largest error becomes a key, until no error is too large. The tolerance applies to
 * world space, where the errors of all ancestors add up. So the frames are then rebuilt, and where
 * a segment is too far off, it and its ancestors are simplified again with half their tolerance. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "math/angle.h"
#include "interchange/gltf_write.h"
#include "math/wide.h"

/* frames are simplified in blocks, to limit the work; after ROUNDS of halving all frames are kept
 */
enum { BLOCK = 1024, ROUNDS = 16 };

static const double degrees_a_metre = 500;
/* of the tolerance; the rest is for times between two frames, and for rounding */
static const double used = 0.9;

typedef struct chooser {
  const sinew_gltf *gltf;
  const si_gltf_take *take;
  unsigned char *kept;
  si_placing_trs *rebuilt; /* in the order of the placings */
  double *share;           /* of the tolerance that a segment's own tracks have */
  bool *off;               /* too far off in this round, or has a descendant that is */
  double *worlds;          /* of one frame: the true ones, then the rebuilt */
} chooser;

/* between two rotations in degrees, from the chord, which is accurate for small angles */
static double angle(const float *a, const float *b) {
  double near = 0, far = 0;
  for (int i = 0; i < 4; i++) {
    double less = (double)a[i] - b[i], more = (double)a[i] + b[i];
    near += less * less;
    far += more * more;
  }
  return 4 * asin(fmin(1, sqrt(fmin(near, far)) / 2)) / SI_DEG;
}

static void slerp(const float *a, const float *b, double u, float *dest) {
  double dot = 0, square = 0, q[4];
  for (int i = 0; i < 4; i++) dot += (double)a[i] * b[i];
  const double side = dot < 0 ? -1 : 1, half = acos(fmin(1, fabs(dot)));
  const double sine = sin(half);
  double from = 1 - u, to = u;
  if (sine > 1e-4) {
    from = sin((1 - u) * half) / sine;
    to = sin(u * half) / sine;
  }
  for (int i = 0; i < 4; i++) {
    q[i] = from * a[i] + side * to * b[i];
    square += q[i] * q[i];
  }
  for (int i = 0; i < 4; i++) dest[i] = (float)(q[i] / sqrt(square));
}

/* interpolates a track between the keys at frames a and b */
static void between(const chooser *c, size_t segment, int track, size_t a, size_t b, size_t f,
                    si_placing_trs *dest) {
  const size_t count = c->gltf->segments;
  const si_placing_trs *first = c->take->placings + segment;
  const si_placing_trs *from = first + a * count, *to = first + b * count;
  const float *times = c->take->times;
  double u = ((double)times[f] - times[a]) / ((double)times[b] - times[a]);
  if (track == SI_GLTF_TURN) {
    slerp(from->turn, to->turn, u, dest->turn);
    return;
  }
  for (int k = 0; k < 3; k++)
    dest->place[k] = (float)(from->place[k] + u * ((double)to->place[k] - from->place[k]));
}

static double off_by(const si_placing_trs *a, const si_placing_trs *b, int track) {
  return track == SI_GLTF_TURN ? angle(a->turn, b->turn) : si_wide_distance(a->place, b->place);
}

/* adds keys between the keys a and b of one track */
static void thin(const chooser *c, size_t segment, int track, size_t a, size_t b,
                 double tolerance) {
  const size_t count = c->gltf->segments;
  unsigned char *kept = c->kept + segment;
  size_t ends[BLOCK + 1], open = 1; /* the keys that are still to be reached from a */
  ends[0] = b;
  while (open) {
    size_t end = ends[open - 1], worst_at = 0;
    double worst = tolerance;
    for (size_t f = a + 1; f < end; f++) {
      si_placing_trs guess;
      between(c, segment, track, a, end, f, &guess);
      double off = off_by(&guess, c->take->placings + f * count + segment, track);
      if (off <= worst) continue;
      worst = off;
      worst_at = f;
    }
    if (worst_at) {
      kept[worst_at * count] |= (unsigned char)track;
      ends[open++] = worst_at;
    } else {
      a = end;
      open--;
    }
  }
}

static void choose_track(const chooser *c, size_t segment, int track) {
  const size_t count = c->gltf->segments, frames = c->take->frames;
  double tolerance = c->share[segment] * used * (double)c->gltf->tolerance;
  if (track == SI_GLTF_TURN) tolerance *= degrees_a_metre;
  unsigned char *kept = c->kept + segment;
  const si_placing_trs *first = c->take->placings + segment;
  const si_placing_trs *rest = &c->gltf->nodes[segment].rest;
  bool moves = false;
  for (size_t f = 0; f < frames; f++) {
    kept[f * count] &= (unsigned char)~track;
    moves = moves || off_by(rest, first + f * count, track) > tolerance;
  }
  if (!moves) return;
  kept[0] |= (unsigned char)track;
  for (size_t a = 0; a + 1 < frames;) {
    size_t b = a + BLOCK < frames ? a + BLOCK : frames - 1;
    kept[b * count] |= (unsigned char)track;
    thin(c, segment, track, a, b, tolerance);
    a = b;
  }
}

static void rebuild_track(const chooser *c, size_t segment, int track) {
  const size_t count = c->gltf->segments, frames = c->take->frames;
  const unsigned char *kept = c->kept + segment;
  const si_placing_trs *rest = &c->gltf->nodes[segment].rest;
  size_t last = 0, next = 0;
  for (size_t f = 0; f < frames; f++) {
    si_placing_trs *dest = c->rebuilt + f * count + segment;
    const si_placing_trs *source = kept[0] & track ? dest - c->rebuilt + c->take->placings : rest;
    if ((kept[0] & track) && !(kept[f * count] & track)) {
      if (next < f)
        for (last = f - 1, next = f + 1; !(kept[next * count] & track);) next++;
      between(c, segment, track, last, next, f, dest);
    } else if (track == SI_GLTF_TURN) {
      memcpy(dest->turn, source->turn, sizeof dest->turn);
    } else {
      memcpy(dest->place, source->place, sizeof dest->place);
    }
  }
}

static void worlds_of(const chooser *c, const si_placing_trs *frame, double *dest) {
  const si_gltf_node *nodes = c->gltf->nodes;
  for (size_t i = 0; i < c->gltf->segments; i++)
    si_gltf_world(nodes[i].parent < 0 ? NULL : dest + (size_t)nodes[i].parent * 12, &frame[i],
                  nodes[i].mirrored, dest + i * 12);
}

/* marks the segments with too large an error in some frame, and their ancestors; true if any */
static bool compare(const chooser *c) {
  const size_t count = c->gltf->segments;
  const double tolerance = used * (double)c->gltf->tolerance;
  const double most_chord = 2 * sin(fmin(90, tolerance * degrees_a_metre / 2) * SI_DEG);
  double *truth = c->worlds, *found = c->worlds + 12 * count;
  bool any = false;
  memset(c->off, 0, count * sizeof *c->off);
  for (size_t f = 0; f < c->take->frames; f++) {
    worlds_of(c, c->take->placings + f * count, truth);
    worlds_of(c, c->rebuilt + f * count, found);
    for (size_t i = 0; i < count; i++) {
      double turn = 0, place = 0;
      for (size_t k = 0; k < 12; k++) {
        double less = truth[12 * i + k] - found[12 * i + k];
        *(k < 9 ? &turn : &place) += less * less;
      }
      /* a turn by t moves what is at radius 1 by at most the chord 2 sin(t/2), and its matrix
       * differs from the identity by that times the root of 2 */
      double chord = sqrt(turn / 2);
      if (sqrt(place) + chord * (double)c->gltf->nodes[i].radius > tolerance || chord > most_chord)
        c->off[i] = any = true;
    }
  }
  for (size_t i = count; i-- > 0;)
    if (c->off[i] && c->gltf->nodes[i].parent >= 0) c->off[c->gltf->nodes[i].parent] = true;
  return any;
}

static void choose(const chooser *c) {
  const size_t count = c->gltf->segments;
  for (size_t i = 0; i < count; i++) {
    c->off[i] = true;
    c->share[i] = 1;
  }
  for (int round = 0;; round++) {
    for (size_t i = 0; i < count; i++) {
      if (!c->off[i]) continue;
      for (int track = SI_GLTF_PLACE; track <= SI_GLTF_TURN; track++) {
        choose_track(c, i, track);
        rebuild_track(c, i, track);
      }
    }
    if (round == ROUNDS || !compare(c)) return;
    for (size_t i = 0; i < count; i++)
      if (c->off[i]) c->share[i] = round == ROUNDS - 1 ? 0 : c->share[i] / 2;
  }
}

sinew_status si_gltf_choose_keys(const sinew_gltf *g, const si_gltf_take *take, unsigned char *kept,
                                 sinew_error *error) {
  chooser c = { .gltf = g, .take = take, .kept = kept };
  if (!take->frames || !g->segments) return SINEW_OK;
  c.rebuilt = si_alloc_array(take->frames * g->segments, sizeof *c.rebuilt);
  c.share = si_alloc_array(g->segments, sizeof *c.share);
  c.off = si_alloc_array(g->segments, sizeof *c.off);
  c.worlds = si_alloc_array(g->segments, 24 * sizeof *c.worlds);
  bool ready = c.rebuilt && c.share && c.off && c.worlds;
  if (ready) choose(&c);
  si_free(c.rebuilt);
  si_free(c.share);
  si_free(c.off);
  si_free(c.worlds);
  return ready ? SINEW_OK : si_fail_memory(error);
}
