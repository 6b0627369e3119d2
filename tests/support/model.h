/* A skinned tube, and a glTF file of it whose joints turn. */
#ifndef MODEL_H
#define MODEL_H

#include <stddef.h>
#include <stdint.h>

enum { model_bones = 12 };

/* closed, along y, 0.1 m thick and a metre long */
typedef struct model_tube {
  float *vertices, *normals;
  uint32_t *triangles;
  int vertex_count, triangle_count;
} model_tube;

model_tube model_make_tube(int rings);
void model_free_tube(model_tube *tube);
/* The bytes of a .glb, to be freed: joints j0 to j11, each on the one before. */
unsigned char *model_make_glb(const model_tube *tube, size_t *size);

#endif
