/* Chooses the reader of a motion file, and finds the skeleton of an AMC file. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/budget_internal.h"
#include "base/file_internal.h"
#include "base/platform.h"
#include "base/text.h"
#include "motion/motion_internal.h"

static sinew_status check_options(const sinew_motion_options *o, sinew_error *error) {
  if (!(o->unit == 0 || (o->unit >= 1e-9f && o->unit <= 1e6f)))
    return si_fail(error, SINEW_ERR_VALUE,
                   "motion: the unit is %g metres, must be from 1e-9 to 1e6", (double)o->unit);
  if (!(o->rate == 0 || (o->rate >= 1e-6f && o->rate <= 1e6f)))
    return si_fail(error, SINEW_ERR_VALUE,
                   "motion: the rate is %g frames per second, must be from 1e-6 to 1e6",
                   (double)o->rate);
  if ((unsigned)o->positions > SINEW_POSITIONS_REPLACE)
    return si_fail(error, SINEW_ERR_VALUE, "motion: unknown rule %d for positions",
                   (int)o->positions);
  return SINEW_OK;
}

static sinew_motion *read_motion(const char *name, const void *bytes, size_t size,
                                 const void *skeleton, size_t skeleton_size, bool beside,
                                 const sinew_motion_options *options, sinew_error *error) {
  sinew_motion_options whole = sinew_default_motion_options();
  sinew_error_clear(error);
  if (!SI_EXPECT(name && (bytes || size == 0) && (skeleton || skeleton_size == 0)))
    return si_fail_null(error, SINEW_ERR_CALL, "motion: no name or no bytes");
  if (!SI_TAKE_DESC(motion_options, options, &whole, error)) return NULL;
  if (check_options(options, error) != SINEW_OK) return NULL;
  if (size > SINEW_MOTION_BYTES || skeleton_size > SINEW_MOTION_BYTES)
    return si_fail_null(error, SINEW_ERR_LIMIT, "%s: has more than %d bytes", name,
                        SINEW_MOTION_BYTES);
  sinew_motion *motion = si_work((size + skeleton_size) / 16) ? si_alloc(sizeof *motion) : NULL;
  if (!motion) return si_memory_null(error);
  sinew_status status;
  if (si_ends_with(name, ".bvh"))
    status = si_bvh_read(name, bytes, size, options, motion, error);
  else if (si_ends_with(name, ".trc"))
    status = si_trc_read(name, bytes, size, options, motion, error);
  else if (si_ends_with(name, ".glb") || si_ends_with(name, ".gltf") || si_ends_with(name, ".vrm"))
    status = si_gltf_motion_read(name, bytes, size, beside, options, motion, error);
  else if (si_ends_with(name, ".amc") && skeleton)
    status = si_acclaim_read(options->skeleton ? options->skeleton : "skeleton", skeleton,
                             skeleton_size, name, bytes, size, options, motion, error);
  else if (si_ends_with(name, ".amc"))
    status = si_fail(error, SINEW_ERR_MISSING, "%s: the skeleton, an .asf file, is missing", name);
  else
    status = si_fail(error, SINEW_ERR_FILE,
                     "%s: a motion file ends with .bvh, .amc, .trc, .glb, .gltf or .vrm", name);
  if (status == SINEW_OK) return motion;
  sinew_motion_destroy(motion);
  return NULL;
}

sinew_motion *sinew_motion_parse(const char *name, const void *bytes, size_t size,
                                 const void *skeleton, size_t skeleton_size,
                                 const sinew_motion_options *options, sinew_error *error) {
  return read_motion(name, bytes, size, skeleton, skeleton_size, false, options, error);
}

/* the path of walk_01.asf, or else walk.asf, next to walk_01.amc; NULL when memory runs out */
static char *skeleton_path(const char *amc) {
  const size_t stem = strlen(amc) - 4;
  char *path = si_alloc(stem + 5);
  if (!path) return NULL;
  snprintf(path, stem + 5, "%.*s.asf", (int)stem, amc);
  if (si_file_readable(path)) return path;
  char *line = strrchr(path, '_'), *slash = strrchr(path, '/');
  if (line && (!slash || line > slash)) {
    memcpy(line, ".asf", 5);
    if (!si_file_readable(path)) snprintf(path, stem + 5, "%.*s.asf", (int)stem, amc);
  }
  return path;
}

sinew_motion *sinew_motion_load(const char *path, const sinew_motion_options *options,
                                sinew_error *error) {
  sinew_motion_options used = sinew_default_motion_options();
  unsigned char *bytes = NULL, *skeleton = NULL;
  size_t size, skeleton_size = 0;
  char *found = NULL;
  sinew_error_clear(error);
  if (!SI_EXPECT(path)) return si_fail_null(error, SINEW_ERR_CALL, "motion: no path");
  if (!SI_TAKE_DESC(motion_options, options, &used, error)) return NULL;
  if (si_file_read(path, SINEW_MOTION_BYTES, &bytes, &size, error) != SINEW_OK) return NULL;
  sinew_status status = SINEW_OK;
  if (si_ends_with(path, ".amc")) {
    if (!used.skeleton) used.skeleton = found = skeleton_path(path);
    status = used.skeleton
                 ? si_file_read(used.skeleton, SINEW_MOTION_BYTES, &skeleton, &skeleton_size, error)
                 : si_fail_memory(error);
  }
  sinew_motion *motion = NULL;
  if (status == SINEW_OK)
    motion = read_motion(path, bytes, size, skeleton, skeleton_size, true, &used, error);
  si_free(bytes);
  si_free(skeleton);
  si_free(found);
  return motion;
}
