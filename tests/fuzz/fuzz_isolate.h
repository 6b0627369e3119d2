/* Mutated reports of a rig's process: each is refused, or gives a rig that can be evaluated. The
 * fuzzer uses it and, for a few inputs, the tests. */
#ifndef FUZZ_ISOLATE_H
#define FUZZ_ISOLATE_H

#include "base/alloc.h"
#include "fuzz_frame.h"
#include "lua/host/isolate/isolate.h"
#include "lua/host/isolate/isolate_report.h"
#include "lua/host/shape.h"
#include "sinew/host.h"

#include <unistd.h>

static const char fuzz_isolate_rig[] =
    "local sinew = require 'sinew'\n"
    "sinew.options { size = { 1, min = 0.5, max = 2 } }\n"
    "local rig = sinew.rig 'r'\n"
    "local set = rig:joint_set 'j'\n"
    "local dof = set:dof('d', { min = -90, max = 90, label = 'l' })\n"
    "local function kind(name, record)\n"
    "  return sinew.component { name = name, inputs = { 'a (deg): in', 'b = 2' },\n"
    "    outputs = { 'a (deg)' }, params = { s = { 0.5, min = 0, max = 4 }, t = 'x', l = {1, 2} "
    "},\n"
    "    holds = { a = 'its stop' }, record = record, verify = function() return true end,\n"
    "    eval = function(self, a, b) return a * self.s + b * self.l[2], 0 end }\n"
    "end\n"
    "local one = set:add(kind('one') { dof })\n"
    "local two = set:add(kind('two', false) { one.a, s = 2 })\n"
    "local bone = rig:segment('bone', { at = {0, 1, 0}, shape = { vertices = {0,0,0, 1,0,0, "
    "0,1,0},\n"
    "  normals = {0,0,1, 0,0,1, 0,0,1}, triangles = {1, 2, 3} } })\n"
    "bone:drive(set:rotation { two.a, axis = {1, 0, 0} })\n"
    "return rig\n";

/* the report of that rig, made once */
static inline const si_wire *fuzz_isolate_report(void) {
  static si_wire report;
  if (report.size) return &report;
  sinew_error error;
  char path[] = "/tmp/sinew-fuzz-XXXXXX";
  int file = mkstemp(path);
  if (file < 0 || write(file, fuzz_isolate_rig, sizeof fuzz_isolate_rig - 1) < 0) abort();
  close(file);
  sinew_host_desc desc = sinew_default_host_desc();
  desc.load_seconds = desc.eval_seconds = 3600;
  sinew_host *host = sinew_host_create(&desc, &error);
  si_wire made = { .at = NULL };
  bool fine = host && sinew_host_load(host, path, &error) >= 0 &&
              si_isolate_tell(host, &made, &error) >= 0 && !made.failed;
  if (!fine) {
    fprintf(stderr, "%s\n", error.text);
    abort();
  }
  report.at = malloc(made.size);
  if (!report.at) abort();
  memcpy(report.at, made.at, made.size);
  report.size = made.size;
  si_wire_free(&made);
  sinew_host_destroy(host);
  unlink(path);
  return &report;
}

static inline size_t fuzz_isolate_make(uint32_t *state, unsigned char *dest, int *form) {
  const si_wire *report = fuzz_isolate_report();
  *form = 0;
  if (report->size > FUZZ_ROOM) abort();
  memcpy(dest, report->at, report->size);
  return fuzz_mutate(state, dest, report->size, FUZZ_ROOM);
}

typedef struct fuzz_isolate_object {
  sinew_rig *rig;
  si_shapes shapes;
} fuzz_isolate_object;

static inline void *fuzz_isolate_read(int form, const unsigned char *bytes, size_t size,
                                      sinew_error *error) {
  (void)form;
  si_report report;
  fuzz_isolate_object *object = NULL;
  unsigned char *message = si_alloc(size + 1); /* the report takes it over, and changes it */
  if (!message) abort();
  memcpy(message, bytes, size);
  sinew_error_clear(error);
  bool whole = si_report_read(message, size, &report);
  if (whole && report.error.status >= 0) {
    object = calloc(1, sizeof *object);
    if (!object) abort();
    object->rig = si_report_compile(&report, "fuzz.lua", &object->shapes, error);
    if (!object->rig) {
      si_shapes_free(&object->shapes);
      free(object);
      object = NULL;
    }
  }
  if (!whole || report.error.status < 0) sinew_error_add(error, SINEW_ERR_FILE, "refused");
  si_report_free(&report);
  return object;
}

static inline bool fuzz_isolate_use(void *made, uint32_t *state) {
  (void)state;
  sinew_error error;
  fuzz_isolate_object *object = made;
  sinew_pose *pose = sinew_pose_create(object->rig, &error);
  if (!pose) abort();
  for (int i = 0; i < sinew_rig_dof_count(object->rig); i++)
    sinew_pose_set(pose, sinew_rig_dof(object->rig, i), 1e3f, NULL);
  sinew_pose_eval(pose, &error); /* fails where a component would ask its process */
  sinew_pose_destroy(pose);
  sinew_rig_destroy(object->rig);
  si_shapes_free(&object->shapes);
  free(object);
  return true;
}

static const fuzz_kind fuzz_isolate_kind = {
  .salt = 0x150147e, .make = fuzz_isolate_make, .read = fuzz_isolate_read, .use = fuzz_isolate_use
};

/* runs one input; returns 1 if it was accepted */
static inline long fuzz_isolate(uint32_t seed) { return fuzz_one(&fuzz_isolate_kind, seed); }

#endif
