/* Closed surfaces of triangles in angle space, and their OBJ files: how an artist sculpts the
 * region of a signed distance field. x, y, z are three angles in degrees. */
#ifndef SINEW_SURFACE_H
#define SINEW_SURFACE_H

#include "sinew/error.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SINEW_SURFACE_EXTENT 40000.0f /* the largest coordinate */

typedef struct sinew_surface sinew_surface;

/* Makes a surface from triangles (three indices from 0 each); everything is copied. NULL, with
 * `error` filled, for an index out of range, a coordinate that is not finite or too large. */
SINEW_API sinew_surface *sinew_surface_create(const float *vertices, size_t vertex_count,
                                              const uint32_t *triangles, size_t triangle_count,
                                              sinew_error *error);
SINEW_API void sinew_surface_destroy(sinew_surface *surface); /* NULL is allowed */

/* Reads the vertices and faces of a Wavefront OBJ; the rest is passed over. Polygons are cut into
 * triangles. NULL, with the line in `error`, where it cannot be understood. `name` stands for the
 * path in messages. */
SINEW_API sinew_surface *sinew_surface_load_obj(const char *path, sinew_error *error);
SINEW_API sinew_surface *sinew_surface_parse_obj(const char *name, const char *text, size_t size,
                                                 sinew_error *error);
/* Writes an OBJ: aside first, then renamed. */
SINEW_API sinew_status sinew_surface_save_obj(const sinew_surface *surface, const char *path,
                                              sinew_error *error);

/* Whether every edge is walked as often one way as the other. SINEW_ERR_VALUE otherwise, with the
 * first edges named by their vertices (counted from 1) and the lines of their faces. */
SINEW_API sinew_status sinew_surface_check(const sinew_surface *surface, sinew_error *error);

SINEW_API size_t sinew_surface_vertex_count(const sinew_surface *surface);
SINEW_API size_t sinew_surface_triangle_count(const sinew_surface *surface);
/* Three floats a vertex, three indices from 0 a triangle. Borrowed. */
SINEW_API const float *sinew_surface_vertices(const sinew_surface *surface);
SINEW_API const uint32_t *sinew_surface_triangles(const sinew_surface *surface);

#ifdef __cplusplus
}
#endif
#endif
