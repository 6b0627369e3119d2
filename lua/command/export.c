/* sinew export: writes a rig for other programs; the file's ending says in which format. */
#include "lua/command/export.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* --- rig.xml: the whole rig as a text that gives it back exactly */

static int write_xml(sinew_host *host, const char *path, int option_count, char **options) {
  bool beside = false;
  for (int i = 0; i < option_count; i++) {
    if (strcmp(options[i], "--fields-beside") != 0)
      return command_misused(&command_export, "no option '%s' for XML", options[i]);
    beside = true;
  }
  sinew_error error;
  if (sinew_host_save_xml(host, path, beside, &error) >= 0) return EXIT_FINE;
  fprintf(stderr, "sinew: %s\n", error.text);
  return EXIT_RIG;
}

static const export_format export_xml = {
  .ending = ".xml",
  .doc = "the whole rig, exactly; a rig in XML can be opened like a script",
  .options = "             --fields-beside  writes each field to a file beside it: rig.1.field\n",
  .write = write_xml,
};

/* --- rig.mjcf: the rig's joints for MuJoCo, with what the approximation is off by */

static sinew_status evaluate(sinew_pose *pose, void *user, sinew_error *error) {
  return sinew_host_eval(user, pose, error);
}

static int write_mjcf(sinew_host *host, const char *path, int option_count, char **options) {
  if (option_count) return command_misused(&command_export, "no option '%s' for MJCF", options[0]);
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

static const export_format export_mjcf = {
  .ending = ".mjcf",
  .doc = "bodies, joints and couplings for MuJoCo; tells how far each body is off",
  .options = "",
  .write = write_mjcf,
};

/* --- all formats, ended by NULL */

static const export_format *const formats[] = { &export_glb, &export_gltf, &export_mjcf,
                                                &export_xml, NULL };

static const export_format *format_of(const char *path) {
  size_t length = strlen(path);
  for (int i = 0; formats[i]; i++) {
    size_t ending = strlen(formats[i]->ending);
    if (length > ending && strcasecmp(path + length - ending, formats[i]->ending) == 0)
      return formats[i];
  }
  return NULL;
}

static int unknown_format(const char *path) {
  char known[256] = "";
  size_t used = 0;
  for (int i = 0; formats[i] && used < sizeof known; i++)
    used += (size_t)snprintf(known + used, sizeof known - used, " %s", formats[i]->ending);
  return command_misused(&command_export, "'%s' has none of the endings it can write:%s", path,
                         known);
}

static int print_schema(void) {
  char *text;
  size_t size;
  sinew_error error;
  if (sinew_xml_schema(&text, &size, &error) < 0) {
    fprintf(stderr, "sinew: %s\n", error.text);
    return EXIT_CALL;
  }
  fwrite(text, 1, size, stdout);
  sinew_text_free(text);
  return EXIT_FINE;
}

static int run(int argc, char **argv) {
  if (argc == 1 && strcmp(argv[0], "--xsd") == 0) return print_schema();
  if (argc < 2 || argv[0][0] == '-' || argv[1][0] == '-')
    return command_misused(&command_export, "takes a rig and the file to write, then options");
  const export_format *format = format_of(argv[1]);
  if (!format) return unknown_format(argv[1]);
  sinew_host *host = command_open(argv[0]);
  if (!host) return EXIT_RIG;
  int code = format->write(host, argv[1], argc - 2, argv + 2);
  sinew_host_destroy(host);
  return code;
}

static void list_formats(void) {
  for (int i = 0; formats[i]; i++)
    printf("  %-8s %s\n%s", formats[i]->ending, formats[i]->doc, formats[i]->options);
}

const command command_export = {
  .name = "export",
  .usage = "RIG FILE [OPTIONS], or --xsd",
  .doc = "writes a rig for other programs, in the format that the file's ending says",
  .help = "  --xsd    prints the schema of rigs in XML\n\n",
  .more_help = list_formats,
  .run = run,
};
