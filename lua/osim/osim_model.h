/* An OpenSim model as plain data: bodies, frames fixed to them, joints with their coordinates and
 * what they do, markers, and what of the file is in none of these. Radians and metres, in doubles,
 * as in the file; the writer converts.
 *
 * A joint places its child frame in its parent frame by a product of factors: turns about an axis,
 * translations, rolling on an ellipsoid, constant matrices. Every kind of joint is brought to that.
 */
#ifndef SI_OSIM_MODEL_H
#define SI_OSIM_MODEL_H

#include "lua/osim/osim_tree.h"
#include "base/names.h"

enum {
  SI_OSIM_FRAMES = 8192,
  SI_OSIM_FRAME_DEPTH = 64, /* offset frames on offset frames */
  SI_OSIM_JOINTS = 4096,
  SI_OSIM_COORDINATES = 8192,
  SI_OSIM_MARKERS = 1 << 14,
  SI_OSIM_POINTS = 1 << 15,
  SI_OSIM_ARGUMENTS = 6,
  SI_OSIM_FACTORS = 16,
  SI_OSIM_LOSSES = 512
};

/* x becomes r x + p; r row by row, a rotation. */
typedef struct si_osim_place {
  double r[9], p[3];
} si_osim_place;

extern const si_osim_place si_osim_identity;
si_osim_place si_osim_mul(const si_osim_place *a, const si_osim_place *b);
si_osim_place si_osim_inverse(const si_osim_place *a);
bool si_osim_is_identity(const si_osim_place *a);
/* Turns about x, y and z, body-fixed: Rx Ry Rz. */
si_osim_place si_osim_offset(const double angles[3], const double at[3]);

typedef enum si_osim_kind {
  SI_OSIM_CONSTANT,   /* numbers: the value */
  SI_OSIM_LINEAR,     /* a slope for each argument, then the value at 0 */
  SI_OSIM_POLYNOMIAL, /* the highest power first */
  SI_OSIM_PIECEWISE,  /* x y x y ... */
  SI_OSIM_SIMM        /* the same */
} si_osim_kind;

typedef struct si_osim_function {
  si_osim_kind kind;
  double *numbers;
  int count;
} si_osim_function;

/* scale * function(coordinates), or scale * the coordinate where there is no function; without
 * coordinates a constant */
typedef struct si_osim_value {
  const si_osim_function *function;
  int coordinates[SI_OSIM_ARGUMENTS], count;
  double scale, constant;
} si_osim_value;

typedef enum si_osim_act {
  SI_OSIM_TURN,
  SI_OSIM_MOVE,
  SI_OSIM_ROLL, /* on an ellipsoid: turned by Rx Ry Rz = R, at radii * (R ez) */
  SI_OSIM_UNROLL,
  SI_OSIM_FIXED
} si_osim_act;

typedef struct si_osim_factor {
  si_osim_act act;
  double axis[3], centre[3], radii[3];
  si_osim_value values[3]; /* the angle of a turn; x, y and z of others */
  si_osim_place fixed;
  const char *label; /* what the file calls it; "" where nothing */
} si_osim_factor;

typedef struct si_osim_frame {
  const char *name, *key; /* key: unique among segments, good for one */
  const char *path;       /* such as /bodyset/pelvis */
  const char *parent;     /* the path that an offset frame gives for its parent */
  si_osim_node *node;
  int body;            /* the place in the list of the body it is fixed to; 0 is the ground */
  si_osim_place place; /* in that body */
  bool own;            /* of a body or the model, not of a joint: becomes a segment */
  enum { SI_OSIM_OPEN, SI_OSIM_BUSY, SI_OSIM_DONE } state;
  int joint;    /* for bodies: what places it; -1 for none */
  bool inverse; /* it is that joint's parent, and its child is nearer to the ground */
} si_osim_frame;

typedef struct si_osim_coordinate {
  const char *name, *key;
  si_osim_node *node; /* NULL where the file does not describe it */
  int joint;
  double min, max, rest;
  double free_min, free_max; /* the range of one that is locked */
  bool rotational, told;     /* told: the file states which */
  bool clamped, locked, coupled;
  si_osim_value coupling;
} si_osim_coordinate;

typedef struct si_osim_joint {
  const char *name, *key, *kind;
  si_osim_node *node;
  int parent, child; /* bodies */
  si_osim_place parent_place, child_place;
  bool reverse; /* of version 3: its factors place the parent in the child */
  int coordinates[SI_OSIM_ARGUMENTS], coordinate_count;
  si_osim_factor factors[SI_OSIM_FACTORS];
  int factor_count;
} si_osim_joint;

typedef struct si_osim_marker {
  const char *name, *key;
  int body;
  double at[3];
} si_osim_marker;

typedef struct si_osim_loss {
  const char *group, *label;
  unsigned count;
  bool named; /* a thing by itself, not a kind of things */
} si_osim_loss;

typedef struct si_osim_model {
  si_osim_tree tree;
  const char *path;
  sinew_error *error;
  si_osim_node *model, *defaults;
  const char *name, *credits, *publications;
  long version;
  si_osim_frame *frames; /* the ground, bodies, then offset frames */
  si_osim_joint *joints;
  si_osim_coordinate *coordinates;
  si_osim_marker *markers;
  si_osim_loss *losses;
  int *body_order, *coordinate_order; /* parents and what others depend on first */
  size_t frame_count, body_count, joint_count, coordinate_count, marker_count, loss_count;
  size_t frame_room, joint_room, coordinate_room, marker_room, loss_room;
  size_t body_order_count;
  unsigned more_losses;
  si_names paths, frame_names, coordinate_names; /* to places in the lists, counted from 1 */
  si_names segment_keys, joint_keys, coordinate_keys, marker_keys;
} si_osim_model;

/* Reads a whole model. Free it in any case. */
sinew_status si_osim_model_read(si_osim_model *m, const char *path, const void *bytes, size_t size,
                                sinew_error *error);
void si_osim_model_free(si_osim_model *m);

/* A message with the file and the line of `node`. */
sinew_status si_osim_fail(si_osim_model *m, const si_osim_node *node, const char *format, ...)
    SI_PRINTF(3, 4);
/* Text in the model's memory; NULL when that is out. */
char *si_osim_format(si_osim_model *m, const char *format, ...) SI_PRINTF(2, 3);
/* A name that is good for a segment or a DOF and not yet in `taken`, as near to `name` as can be.
 * NULL when memory is out. */
const char *si_osim_unique(si_osim_model *m, si_names *taken, const char *name,
                           const char *otherwise, const char *what);

/* A property of an object, from its prototype in <defaults> where it has none itself, or NULL;
 * marked as seen. */
si_osim_node *si_osim_property(si_osim_model *m, si_osim_node *object, const char *tag);
/* Where a property is not there, these leave what is in dest. */
sinew_status si_osim_numbers(si_osim_model *m, si_osim_node *object, const char *tag, int count,
                             double *dest);
sinew_status si_osim_flag(si_osim_model *m, si_osim_node *object, const char *tag, bool *dest);
/* Any number of numbers from `least` on, in the model's memory. */
sinew_status si_osim_list(si_osim_model *m, const si_osim_node *node, int least, double **dest,
                          int *count);
/* The first element inside `node` that is none of these properties, or NULL. */
si_osim_node *si_osim_object(si_osim_node *node, const char *const *properties);

/* Reads the function element `node` for `arguments` coordinates into value->function, its scale
 * times that of value. One of a kind that is not known, or that takes other arguments, leaves a
 * constant 0 and a loss that names `what`. */
sinew_status si_osim_function_read(si_osim_model *m, si_osim_node *node, const char *what,
                                   si_osim_value *value);

/* Reads a joint's coordinates, and then, once all joints have theirs, what it does. */
sinew_status si_osim_joint_coordinates(si_osim_model *m, int joint);
sinew_status si_osim_joint_factors(si_osim_model *m, int joint);
/* The names in `text` as coordinates of this joint, or of any where `joint` is -1, into value. */
sinew_status si_osim_arguments(si_osim_model *m, const si_osim_node *node, int joint,
                               si_osim_value *value);

/* Frames: adds the offset frames in `list` (may be NULL), whose owner has this path; finds one by
 * a path as an owner gives it, -1 where there is none; and places them all in their bodies. */
sinew_status si_osim_frames_add(si_osim_model *m, const si_osim_node *list, const char *owner,
                                bool own);
int si_osim_frame_find(const si_osim_model *m, const char *owner, const char *path);
sinew_status si_osim_frames_place(si_osim_model *m);
/* The text of the socket `name` of an object, in the spellings of version 4; NULL where none is. */
const char *si_osim_socket(si_osim_model *m, si_osim_node *object, const char *name);

/* Puts bodies and coordinates in order; what cannot be placed is a loss. */
sinew_status si_osim_order(si_osim_model *m);

/* Counts something that is not carried over: one more of its kind, or a thing by itself. */
sinew_status si_osim_lose(si_osim_model *m, const char *group, const char *kind);
sinew_status si_osim_lose_named(si_osim_model *m, const char *group, const char *format, ...)
    SI_PRINTF(3, 4);
/* All elements that nothing was made of. */
sinew_status si_osim_lose_rest(si_osim_model *m);

#endif
