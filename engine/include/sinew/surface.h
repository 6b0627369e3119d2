/* Closed surfaces of triangles in angle space, and their OBJ files: with these an artist sculpts
 * the region of a signed distance field. x, y, z are three angles in degrees. A surface is
 * immutable; any number of threads may read it at a time. */
#ifndef SINEW_SURFACE_H
#define SINEW_SURFACE_H

#include "sinew/error.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SINEW_SURFACE_EXTENT 40000.0f /* the largest coordinate */

typedef struct sinew_surface sinew_surface;

/* Creates a surface from triangles (three indices from 0 each). Everything is copied. Returns NULL,
 * with `error` filled, for an index out of range, or a coordinate that is not finite or too
 * large. */
SINEW_API sinew_surface *sinew_surface_create(const float *vertices, size_t vertex_count,
                                              const uint32_t *triangles, size_t triangle_count,
                                              sinew_error *error);
SINEW_API void sinew_surface_destroy(sinew_surface *surface); /* NULL is allowed */

/* Reads the vertices and faces of a Wavefront OBJ and ignores the rest. Polygons are split into
 * triangles. Returns NULL, with the line in `error`, if the file cannot be parsed. Messages use
 * `name` as the path. */
SINEW_API sinew_surface *sinew_surface_load_obj(const char *path, sinew_error *error);
SINEW_API sinew_surface *sinew_surface_parse_obj(const char *name, const char *text, size_t size,
                                                 sinew_error *error);
/* Writes an OBJ with sinew_file_write. */
SINEW_API sinew_status sinew_surface_save_obj(const sinew_surface *surface, const char *path,
                                              sinew_error *error);

/* Checks that the surface is closed: its triangles use every edge equally often in both directions.
 * Returns SINEW_ERR_VALUE otherwise; the error names the first bad edges by their vertices (counted
 * from 1) and the lines of their faces. */
SINEW_API sinew_status sinew_surface_check(const sinew_surface *surface, sinew_error *error);

SINEW_API size_t sinew_surface_vertex_count(const sinew_surface *surface);
SINEW_API size_t sinew_surface_triangle_count(const sinew_surface *surface);
/* Three floats per vertex, three indices from 0 per triangle. Borrowed. */
SINEW_API const float *sinew_surface_vertices(const sinew_surface *surface);
SINEW_API const uint32_t *sinew_surface_triangles(const sinew_surface *surface);

#ifdef __cplusplus
}
#endif
#endif
