/* Converts OpenSim files to text: reads a model, writes it as Lua, and frees it. */
#include "sinew/osim.h"

#include "base/alloc.h"
#include "base/file_internal.h"
#include "lua/osim/osim_write.h"

struct sinew_osim {
  char *script, *markers, *losses;
  int marker_count;
};

void sinew_osim_destroy(sinew_osim *osim) {
  if (!osim) return;
  si_free(osim->script);
  si_free(osim->markers);
  si_free(osim->losses);
  si_free(osim);
}

static char *write_text(const si_osim_model *m, void (*put)(si_osim_writer *), sinew_error *error) {
  si_osim_writer w = { .m = m };
  put(&w);
  if (w.huge && !w.text.failed) {
    si_free(w.text.at);
    si_fail(error, SINEW_ERR_FILE, "%s: contains a number that is too large", m->path);
    return NULL;
  }
  return si_text_finish(&w.text, NULL, error);
}

sinew_osim *sinew_osim_parse(const char *name, const void *bytes, size_t size, sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(name && (bytes || size == 0))) return NULL;
  si_osim_model m;
  sinew_osim *osim = NULL;
  if (si_osim_model_read(&m, name, bytes, size, error) != SINEW_OK) goto done;
  osim = si_alloc(sizeof *osim);
  if (!osim) {
    si_fail_memory(error);
    goto done;
  }
  osim->marker_count = (int)m.marker_count;
  osim->script = write_text(&m, si_osim_put_rig, error);
  if (osim->script) osim->markers = write_text(&m, si_osim_put_markers, error);
  if (osim->markers) osim->losses = write_text(&m, si_osim_put_losses, error);
  if (!osim->losses) {
    sinew_osim_destroy(osim);
    osim = NULL;
  }
done:
  si_osim_model_free(&m);
  return osim;
}

sinew_osim *sinew_osim_read(const char *path, sinew_error *error) {
  sinew_error_clear(error);
  if (!SI_EXPECT(path)) return NULL;
  unsigned char *bytes;
  size_t size;
  if (si_file_read(path, SI_OSIM_BYTES, &bytes, &size, error) != SINEW_OK) return NULL;
  sinew_osim *osim = sinew_osim_parse(path, bytes, size, error);
  si_free(bytes);
  return osim;
}

const char *sinew_osim_script(const sinew_osim *osim) { return osim->script; }
const char *sinew_osim_markers(const sinew_osim *osim) { return osim->markers; }
const char *sinew_osim_losses(const sinew_osim *osim) { return osim->losses; }
int sinew_osim_marker_count(const sinew_osim *osim) { return osim->marker_count; }
