/* The data of a character. character.c loads and answers, character_bind_pose.c finds the pose of
 * the skin, character_parts.c what is drawn, character_drive.c follows a rig, character_limit.c
 * measures limits, character_extras.c keeps those in files, character_write.c and character_edit.c
 * write files. */
#ifndef SI_CHARACTER_INTERNAL_H
#define SI_CHARACTER_INTERNAL_H

#include "base/budget_internal.h"
#include "base/text.h"
#include "shape/gltf_read.h"
#include "sinew/character.h"

enum { SI_CHARACTER_NAME = 256 }; /* bytes of a node's name */

typedef struct si_character_node {
  CGLM_ALIGN_MAT float rest[16], bind[16];
  CGLM_ALIGN_MAT float local[16]; /* in its parent's frame in the bind pose */
  const char *name, *human;
  int parent;
  uint32_t index; /* among the file's nodes */
  float weight;
  bool joint;
} si_character_node;

/* a matrix that vertices refer to: world(node) * offset */
typedef struct si_character_matrix {
  CGLM_ALIGN_MAT float offset[16];
  uint32_t node;
} si_character_matrix;

/* how a node follows the rig; all matrices already contain the place */
typedef struct si_character_drive {
  CGLM_ALIGN_MAT float turn[16];   /* world = place * segment * turn */
  CGLM_ALIGN_MAT float toward[16]; /* the same for the other segment */
  CGLM_ALIGN_MAT float at[16];     /* position = place * segment * at */
  float near[3];   /* position = the middle of that and place * near segment * near */
  float aim_at[3]; /* the aimed joint's bind position in the node's frame */
  float share;
  uint32_t segment, toward_segment, at_segment, near_segment; /* from 1; 0: none */
  int aim, twist;                                             /* nodes; -1: none */
  int reference; /* of a twist: the joint against which it is measured */
  bool driven;
} si_character_drive;

struct sinew_character {
  si_gltf_reader reader; /* stays open, for writing */
  unsigned char *bytes;  /* the file */
  char *name;
  si_arena arena;
  si_character_node *nodes;
  size_t node_count;
  si_character_matrix *matrices;
  size_t matrix_count, matrix_room;
  sinew_character_part *parts;
  size_t part_count, part_room;
  sinew_character_image *images;
  size_t image_count;
  si_text warnings;
  float height;
  /* what the file keeps of a rig; in the arena */
  sinew_character_dof *dofs;
  sinew_hold *holds;
  sinew_character_limit *limits;
  int dof_count, hold_count, limit_count;
  /* following a rig; NULL: not bound */
  si_character_drive *drives;
  size_t segment_count;
  CGLM_ALIGN_MAT float place[16];
};

/* Fills the bind pose of all nodes, whose rest is known. */
sinew_status si_character_bind_pose(sinew_character *c);
/* Reads meshes, materials and images, and sums the weights. */
sinew_status si_character_read_parts(sinew_character *c);
/* Reads what the file keeps of a rig. */
sinew_status si_character_read_extras(sinew_character *c);
/* The text of a value in the arena; "" if it is none; NULL when memory runs out. */
const char *si_character_text(sinew_character *c, const si_json_value *value);
/* Reads the joints and inverse bind matrices of a skin into `count` new matrices from `first`. */
sinew_status si_character_read_skin(sinew_character *c, uint32_t skin, uint32_t *first,
                                    uint32_t *count);
/* The inverse of an affine matrix, in doubles; false if there is none. */
bool si_affine_inverse(const float *m, float *dest);
/* a * b in doubles; `dest` may be either */
void si_affine_mul(const float *a, const float *b, float *dest);
/* whether there is a node of that number */
bool si_character_has(const sinew_character *c, int node);
void si_character_warn(sinew_character *c, const char *format, ...) SINEW_PRINTF(2, 3);

#endif
