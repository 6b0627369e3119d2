/* Characters: skinned glTF 2.0 files (.glb, .gltf, .vrm) that follow a rig. A character has the
 * nodes of the file, the joints among them, what is drawn, and the pose in which the skin was
 * bound. `sinew bind` (lua/docs/characters.md) finds out which joint is which, gives a rig the
 * character's proportions, and notes in the rig how each joint is driven (sinew_rig_binding).
 *
 *   sinew_character *hero = sinew_character_load("hero.glb", &error);
 *   sinew_character_bind(hero, rig, &error);
 *   sinew_character_worlds(hero, sinew_pose_worlds(pose), worlds);   // every node
 *   sinew_character_matrices(hero, worlds, matrices);                // for a skinning shader
 *
 * The last two allocate nothing and only read the character, so that any number of threads may call
 * them for one character with their own arrays; a batch gives the same segments for crowds.
 * Loading, binding and destroying belong to one thread at a time. */
#ifndef SINEW_CHARACTER_H
#define SINEW_CHARACTER_H

#include "sinew/clip.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SINEW_CHARACTER_NODES 65536       /* at most */
#define SINEW_CHARACTER_BYTES (512 << 20) /* of a file */

typedef struct sinew_character sinew_character;

/* Reads a file; the buffers and images of a .gltf are read from its folder. Returns NULL, with file
 * and line in `error`, if it cannot be parsed, is compressed (Draco, meshopt), or is too large. */
SINEW_API sinew_character *sinew_character_load(const char *path, sinew_error *error);
/* The same from memory, which is copied; `name` replaces the path, and its extension says the
 * format. Buffers must be inside. */
SINEW_API sinew_character *sinew_character_parse(const char *name, const void *bytes, size_t size,
                                                 sinew_error *error);
SINEW_API void sinew_character_destroy(sinew_character *character); /* NULL is allowed */
/* What was repaired or left out while reading, one per line; "" if nothing was. */
SINEW_API const char *sinew_character_warnings(const sinew_character *character);
/* Metres from the lowest to the highest vertex of the bind pose, or joint where nothing is drawn.
 */
SINEW_API float sinew_character_height(const sinew_character *character);

/* A node of the file's default scene. Matrices are 16 floats, column-major; strings and matrices
 * are borrowed from the character. */
typedef struct sinew_character_node {
  const char *name;  /* "" if it has none */
  int parent;        /* an earlier node; -1: a root */
  bool joint;        /* of a skin */
  const char *human; /* its name in the file's own humanoid map (VRM 0 and 1); NULL: none */
  float weight;      /* of all vertices that follow it; a mesh that hangs on it counts 1 */
  const float *rest; /* its world matrix as the file has the nodes */
  const float *bind; /* its world matrix in the pose in which the skin was bound */
} sinew_character_node;

SINEW_API int sinew_character_node_count(const sinew_character *character);
SINEW_API sinew_character_node sinew_character_node_info(const sinew_character *character,
                                                         int node);
/* The node of that name, or "#12" for its number from 0. Returns -1, with the nearest names in
 * `error`, if there is none. */
SINEW_API int sinew_character_find(const sinew_character *character, const char *name,
                                   sinew_error *error);
/* The least and the greatest distance along a direction of the vertices that follow a node or one
 * below it more than any other, in the bind pose. Returns false if there are none. */
SINEW_API bool sinew_character_extent(const sinew_character *character, int node,
                                      const float direction[3], float dest[2]);

typedef enum sinew_alpha_mode {
  SINEW_ALPHA_OPAQUE,
  SINEW_ALPHA_MASK, /* drawn where alpha is at least the cutoff */
  SINEW_ALPHA_BLEND
} sinew_alpha_mode;

/* Triangles with one material. Vertices are in the space of the skin: a matrix of
 * sinew_character_matrices brings each to the world. */
typedef struct sinew_character_part {
  const char *name;       /* of its mesh */
  int node;               /* that shows it */
  const float *positions; /* three floats per vertex */
  const float *normals;   /* three floats per vertex; NULL: none */
  const float *uvs;       /* two floats per vertex for the base colour; NULL: none */
  const uint16_t *joints; /* four indices of matrices per vertex */
  const float *weights;   /* four per vertex, with the sum 1 */
  const uint32_t *triangles;
  int vertex_count, triangle_count;
  float color[4]; /* base colour factor, linear */
  int image;      /* of the base colour, from 0; -1: none */
  sinew_alpha_mode alpha;
  float cutoff;
  bool double_sided;
} sinew_character_part;

SINEW_API int sinew_character_part_count(const sinew_character *character);
SINEW_API sinew_character_part sinew_character_part_info(const sinew_character *character,
                                                         int part);

/* An image as the file has it, mostly PNG or JPEG. */
typedef struct sinew_character_image {
  const void *bytes; /* NULL: it could not be read, which is a warning */
  size_t size;
  const char *type; /* "image/png"; "" if the file does not say */
} sinew_character_image;

SINEW_API int sinew_character_image_count(const sinew_character *character);
SINEW_API sinew_character_image sinew_character_image_info(const sinew_character *character,
                                                           int image);

/* How many matrices the vertices refer to. */
SINEW_API int sinew_character_matrix_count(const sinew_character *character);

/* --- following a rig */

/* Makes the character follow a rig as the rig's binding says. The rig is not kept: later changes of
 * its rest frames need a new call. Fails for a rig without a binding, and for names that rig or
 * character do not have; the character is then as it was. */
SINEW_API sinew_status sinew_character_bind(sinew_character *character, const sinew_rig *rig,
                                            sinew_error *error);
/* The path of the file that the rig's binding names, in the folder of the file `script`. The caller
 * frees it with sinew_text_free. NULL, with `error` filled, if there is none. */
SINEW_API char *sinew_character_file(const sinew_rig *rig, const char *script, sinew_error *error);
/* Loads that file and binds it. NULL, with `error` filled, if one of them fails. */
SINEW_API sinew_character *sinew_character_of_rig(const sinew_rig *rig, const char *script,
                                                  sinew_error *error);
/* sinew_character_bind with another text. Format, in JSON:
 *
 *   { "file": "hero.glb",
 *     "place": [16 numbers],                from the rig's metres to the character's world
 *     "pose": { "left_shoulder.raise": 90 },  the rig's DOFs in the bind pose; others are at rest
 *     "joints": {
 *       "Hips": { "segment": "pelvis" },
 *       "Spine": { "segment": "T10", "at": "L3" },
 *       "Leg": { "segment": "tibia_l", "near": "femur_l" },
 *       "ForeArm": { "segment": "ulna_l", "toward": "radius_l", "share": 0.5, "aim": "Hand" },
 *       "ForeArmTwist": { "twist": "Hand", "aim": "Hand", "share": 0.5 } } }
 *
 * A joint turns with its segment, or with `share` of the way from that to `toward`; it is placed by
 * `at`, or else by its segment, and in the middle between that and `near`; with `aim` it is then
 * turned by the least angle that points it at that joint as in the bind pose. A twist joint keeps
 * its place on its parent and rolls about the line from its parent to `aim` by `share` of what the
 * joint `twist` has rolled against the parent. All other nodes keep their place on their parents.
 */
SINEW_API sinew_status sinew_character_bind_text(sinew_character *character, const sinew_rig *rig,
                                                 const char *text, sinew_error *error);
SINEW_API bool sinew_character_is_bound(const sinew_character *character);
/* The number of segments of the rig it is bound to; 0: not bound. */
SINEW_API int sinew_character_segment_count(const sinew_character *character);
/* Whether the rig drives the node itself. */
SINEW_API bool sinew_character_drives(const sinew_character *character, int node);
/* From the rig's metres to the character's world: 16 floats; the scale is in it. NULL: not bound.
 */
SINEW_API const float *sinew_character_place(const sinew_character *character);

/* The world matrices of all nodes, 16 floats each, from those of the rig's segments
 * (sinew_pose_worlds, or one character of sinew_batch_eval). An unbound character, or `segments`
 * NULL, gives the bind pose. The arrays are aligned to 16 bytes and do not overlap. */
SINEW_API void sinew_character_worlds(const sinew_character *character, const float *segments,
                                      float *dest);
/* The matrices for a skinning shader, from the world matrices of the nodes: a vertex is the
 * weighted sum of its four matrices times its position. Aligned to 16 bytes. */
SINEW_API void sinew_character_matrices(const sinew_character *character, const float *worlds,
                                        float *dest);

/* --- limits for physics */

/* What the rig's limits allow a joint of the character, against the nearest joint above it that the
 * rig drives: a twist about its bone, then a swing of the bone inside an elliptic cone. `centre` is
 * fixed to the joint above and `frame` to the joint; both are rigid, at the joint's place in the
 * character's world in the bind pose. With x of `frame` on x of `centre` the swing is 0. Angles are
 * in degrees; what they are in physics engines, see lua/docs/characters.md. */
typedef struct sinew_character_limit {
  int node, parent; /* parent: -1, it is the first; it has no limit then */
  float frame[16];  /* x along the bone */
  float centre[16]; /* x along the middle of the cone; y and z are the axes of its ellipse */
  float swing_y;    /* half angle of the cone for rotations about y */
  float swing_z;    /* half angle about z */
  float twist_min, twist_max; /* 0 is the bind pose */
  float reached;              /* share of the sampled poses inside cone and range */
} sinew_character_limit;

/* Fits the limit of one joint to `count` random poses of the rig (0: 2000), which it evaluates.
 * Returns SINEW_ERR_MISSING for a node that the rig does not drive. Slow: call it once. */
SINEW_API sinew_status sinew_character_limit_of(const sinew_character *character, sinew_pose *pose,
                                                int node, int count, sinew_character_limit *dest,
                                                sinew_error *error);
/* The limits of all joints that the rig drives, over the same poses; returns how many there are, or
 * a negative status. At most `capacity` are written. */
SINEW_API int sinew_character_limits(const sinew_character *character, sinew_pose *pose, int count,
                                     sinew_character_limit *dest, int capacity, sinew_error *error);
/* --- what a file that sinew_character_write wrote keeps of the rig (lua/docs/characters.md)
 *
 * Each function fills up to `capacity` items and returns how many the file has, 0 if none. Strings
 * are borrowed from the character. What cannot be read, or is of a later version, is a warning. */

SINEW_API int sinew_character_stored_limits(const sinew_character *character,
                                            sinew_character_limit *dest, int capacity);

typedef struct sinew_character_dof {
  const char *name, *unit; /* unit: NULL, it has none */
  float min, max, rest;
  float value; /* in the last frame */
} sinew_character_dof;

SINEW_API int sinew_character_stored_dofs(const sinew_character *character,
                                          sinew_character_dof *dest, int capacity);
/* What a limit held back in the last frame: names, ports and amounts, without ids and docs. */
SINEW_API int sinew_character_stored_holds(const sinew_character *character, sinew_hold *dest,
                                           int capacity);
/* Gives the DOFs of a rig the ranges and rest values that are stored for their names; others stay.
 * Returns how many were stored, or a negative status. */
SINEW_API int sinew_character_restore(const sinew_character *character, sinew_rig *rig,
                                      sinew_error *error);

/* --- writing it with motion */

typedef struct sinew_character_take sinew_character_take;

/* Starts the frames of an animation. The character must be bound and outlive it. */
SINEW_API sinew_character_take *sinew_character_take_create(const sinew_character *character,
                                                            const char *name, sinew_error *error);
SINEW_API void sinew_character_take_destroy(sinew_character_take *take); /* NULL is allowed */
/* Adds a frame: the segments of an evaluated pose. Times are in seconds, from 0 on, and ascend. */
SINEW_API sinew_status sinew_character_take_add(sinew_character_take *take, const sinew_pose *pose,
                                                float time, sinew_error *error);

typedef struct sinew_character_write_desc {
  size_t size;         /* filled by sinew_default_character_write_desc */
  bool rotations_only; /* joints keep their lengths; only the topmost driven ones move */
  bool clip_alone;     /* without meshes, skins, materials and images: nodes and the animations */
  float tolerance; /* metres, and 500 degrees per metre: a channel that moves less is left out */
  /* Written to `extras` (lua/docs/characters.md); NULL: none. */
  const sinew_pose *dofs;
  const sinew_character_limit *limits;
  int limit_count;
} sinew_character_write_desc;

SINEW_API sinew_character_write_desc sinew_default_character_write_desc(void);

/* What was written, in metres of the character's world. */
typedef struct sinew_character_written {
  int channels, keys, animations; /* animations: in the file, with those it had */
  float worst; /* distance of a joint in the file from where the rig has it, over all frames */
  float mean;
  int worst_node;
  int sheared; /* nodes whose shear, in some frame, the file cannot express */
} sinew_character_written;

/* The whole file as .glb: what the source had, with names, materials, weights and extensions as
 * they were, and an animation of each take in place of those that have its name. Free it with
 * sinew_text_free. `takes` may be NULL with a count of 0; `desc` and `dest` may be NULL. Fails for
 * takes without frames, or with the same name. */
SINEW_API char *sinew_character_write(const sinew_character *character,
                                      const sinew_character_take *const *takes, int take_count,
                                      const sinew_character_write_desc *desc, size_t *size,
                                      sinew_character_written *dest, sinew_error *error);

#ifdef __cplusplus
}
#endif
#endif
