/* sinew export RIG rig.mjcf: the rig's joints for MuJoCo, with what the approximation is off by. */
#include "export.h"

#include <stdio.h>

static sinew_status evaluate(sinew_pose *pose, void *user, sinew_error *error) {
  return sinew_host_eval(user, pose, error);
}

static int write_mjcf(sinew_host *host, const char *path, int option_count, char **options) {
  if (option_count) return export_misused("no option '%s' for MJCF", options[0]);
  sinew_error error;
  sinew_mjcf_desc desc = sinew_default_mjcf_desc();
  desc.eval = evaluate;
  desc.user = host;
  size_t size;
  char *report = NULL;
  char *text = sinew_mjcf_format(sinew_host_rig(host), &desc, &size, &report, &error);
  bool ok = text && sinew_file_write(path, text, size, &error) >= 0;
  if (ok)
    fprintf(stderr, "%s: off in the world by at most, over %d random poses:\n%s", path, desc.poses,
            report);
  else
    fprintf(stderr, "sinew: %s\n", error.text);
  sinew_text_free(text);
  sinew_text_free(report);
  return ok ? EXIT_FINE : EXIT_RIG;
}

const export_format export_mjcf = {
  .ending = ".mjcf",
  .doc = "bodies, joints and couplings for MuJoCo; tells how far each body is off",
  .options = "",
  .write = write_mjcf,
};
