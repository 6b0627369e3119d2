/* An OpenSim model as plain data: bodies, frames fixed to them, joints with their coordinates and
 * factors, markers, and the list of losses. Radians and metres, in doubles, as in the file; the
 * writer converts.
 *
 * A joint places its child frame in its parent frame by a product of factors: rotations about an
 * axis, translations, rolling on an ellipsoid, constant matrices. Every kind of joint is converted
 * to that. */
#ifndef SI_OSIM_MODEL_H
#define SI_OSIM_MODEL_H

#include "base/names.h"
#include "lua/osim/osim_tree.h"

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

/* A rigid transform: x becomes r x + p, with r a rotation, row by row. */
typedef struct si_osim_place {
  double r[9], p[3];
} si_osim_place;

extern const si_osim_place si_osim_identity;
si_osim_place si_osim_mul(const si_osim_place *a, const si_osim_place *b);
si_osim_place si_osim_inverse(const si_osim_place *a);
bool si_osim_is_identity(const si_osim_place *a);
/* Body-fixed rotations about x, y and z: Rx Ry Rz. */
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

/* scale function(coordinates), or scale coordinate if there is no function; a constant if there are
 * no coordinates */
typedef struct si_osim_value {
  const si_osim_function *function;
  int coordinates[SI_OSIM_ARGUMENTS], count;
  double scale, constant;
} si_osim_value;

typedef enum si_osim_act {
  SI_OSIM_TURN,
  SI_OSIM_MOVE,
  SI_OSIM_ROLL, /* on an ellipsoid: rotated by Rx Ry Rz = R, at radii * (R ez) */
  SI_OSIM_UNROLL,
  SI_OSIM_FIXED
} si_osim_act;

typedef struct si_osim_factor {
  si_osim_act act;
  double axis[3], centre[3], radii[3];
  si_osim_value values[3]; /* the angle of a rotation; x, y and z of others */
  si_osim_place fixed;
  const char *label; /* its name in the file; "" if it has none */
} si_osim_factor;

typedef struct si_osim_frame {
  const char *name, *key; /* key: a valid, unique segment name */
  const char *path;       /* such as /bodyset/pelvis */
  const char *parent;     /* the path that an offset frame gives for its parent */
  si_osim_node *node;
  int body;            /* index of the body that it is fixed to; 0 is the ground */
  si_osim_place place; /* in that body */
  bool own;            /* belongs to a body or the model, not a joint: becomes a segment */
  enum { SI_OSIM_OPEN, SI_OSIM_BUSY, SI_OSIM_DONE } state;
  int joint;               /* for bodies: the joint that places it; -1: none */
  double mass, mass_at[3]; /* kg, and its centre; 0: none */
  /* the joint is reversed: the body is its parent, and the child is nearer to the ground */
  bool inverse;
} si_osim_frame;

typedef struct si_osim_coordinate {
  const char *name, *key;
  si_osim_node *node; /* NULL if the file does not describe it */
  int joint;
  double min, max, rest;
  double free_min, free_max; /* the range of one that is locked */
  bool rotational, told;     /* told: the file says whether it is one */
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
  bool named; /* a single named item, not a kind of items */
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
  si_names paths, frame_names, coordinate_names; /* to indices in the lists, plus one */
  si_names segment_keys, joint_keys, coordinate_keys, marker_keys;
} si_osim_model;

/* Reads a whole model. Free it also after a failure. */
sinew_status si_osim_model_read(si_osim_model *m, const char *path, const void *bytes, size_t size,
                                sinew_error *error);
void si_osim_model_free(si_osim_model *m);

/* A message with the file and the line of `node`. */
sinew_status si_osim_fail(si_osim_model *m, const si_osim_node *node, const char *format, ...)
    SINEW_PRINTF(3, 4);
/* Formats a string in the model's memory; NULL when memory runs out. */
char *si_osim_format(si_osim_model *m, const char *format, ...) SINEW_PRINTF(2, 3);
/* A valid name for a segment or a DOF that is not yet in `taken`, as close to `name` as possible.
 * NULL when memory runs out. */
const char *si_osim_unique(si_osim_model *m, si_names *taken, const char *name,
                           const char *otherwise, const char *what);

/* A property of an object, or else of its prototype in <defaults>; NULL if neither has it. Marks it
 * as seen. */
si_osim_node *si_osim_property(si_osim_model *m, si_osim_node *object, const char *tag);
/* If the property is missing, these leave `dest` as it is. */
sinew_status si_osim_numbers(si_osim_model *m, si_osim_node *object, const char *tag, int count,
                             double *dest);
sinew_status si_osim_flag(si_osim_model *m, si_osim_node *object, const char *tag, bool *dest);
/* The first child of `node` that is not one of these properties, or NULL. */
si_osim_node *si_osim_object(si_osim_node *node, const char *const *properties);

/* Reads the function element `node` for `arguments` coordinates into value->function, and
 * multiplies the value's scale by its scale. For an unknown kind, or other arguments, the value is
 * 0 and a loss names `what`. */
sinew_status si_osim_function_read(si_osim_model *m, si_osim_node *node, const char *what,
                                   si_osim_value *value);

/* Reads a joint's coordinates; later, when all joints have theirs, its factors. */
sinew_status si_osim_joint_coordinates(si_osim_model *m, int joint);
sinew_status si_osim_joint_factors(si_osim_model *m, int joint);
/* Resolves the names in `text` to coordinates of this joint, or of any joint if `joint` is -1, and
 * stores them in value. */
sinew_status si_osim_arguments(si_osim_model *m, const si_osim_node *node, int joint,
                               si_osim_value *value);

/* Frames: adds the offset frames in `list` (may be NULL) of the owner with this path; finds a frame
 * by a path relative to its owner, -1 if there is none; places all frames in their bodies. */
sinew_status si_osim_frames_add(si_osim_model *m, const si_osim_node *list, const char *owner,
                                bool own);
int si_osim_frame_find(const si_osim_model *m, const char *owner, const char *path);
sinew_status si_osim_frames_place(si_osim_model *m);
/* The text of the socket `name` of an object, in the spellings of version 4; NULL if there is
 * none. */
const char *si_osim_socket(si_osim_model *m, si_osim_node *object, const char *name);

/* Sorts bodies and coordinates; what cannot be placed is a loss. */
sinew_status si_osim_order(si_osim_model *m);

/* Records the loss of a named item. */
sinew_status si_osim_lose_named(si_osim_model *m, const char *group, const char *format, ...)
    SINEW_PRINTF(3, 4);
/* Records all elements that nothing has read. */
sinew_status si_osim_lose_rest(si_osim_model *m);

#endif
