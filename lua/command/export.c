/* sinew export: writes a rig for other programs; the file extension selects the format. */
#include "lua/command/export.h"

#include <string.h>

/* --- rig.xml: the whole rig as text; reading it gives the same rig to the bit */

static const command_option xml_options[] = {
  { "--fields-beside", OPTION_FLAG, .offset = 0,
    "writes each field to a file beside it: rig.1.field" },
  { .name = NULL },
};

static int write_xml(sinew_host *host, const char *path, int argc, char **argv) {
  bool beside = false;
  sinew_error error;
  if (!command_read(&command_export, xml_options, argc, argv, &beside)) return EXIT_CALL;
  if (sinew_host_save_xml(host, path, beside, &error) >= 0) return EXIT_FINE;
  command_failed(&error);
  return EXIT_RIG;
}

static const export_format export_xml = {
  .ending = ".xml",
  .doc = "the whole rig, without loss; it can be opened like a script",
  .options = xml_options,
  .write = write_xml,
};

/* --- rig.mjcf: the rig's joints for MuJoCo, with the error of the approximation */

static sinew_status evaluate(sinew_pose *pose, void *user, sinew_error *error) {
  return sinew_host_eval(user, pose, error);
}

static const command_option no_options[] = { { .name = NULL } };

static int write_mjcf(sinew_host *host, const char *path, int argc, char **argv) {
  if (!command_read(&command_export, no_options, argc, argv, NULL)) return EXIT_CALL;
  sinew_error error;
  sinew_mjcf_desc desc = sinew_default_mjcf_desc();
  desc.eval = evaluate;
  desc.user = host;
  size_t size;
  char *report = NULL;
  char *text = sinew_mjcf_format(sinew_host_rig(host), &desc, &size, &report, &error);
  bool ok = text && sinew_file_write(path, text, size, &error) >= 0;
  if (ok)
    command_tell("%s: largest error in the world over %d random poses:\n%s", path, desc.poses,
                 report);
  else
    command_failed(&error);
  sinew_text_free(text);
  sinew_text_free(report);
  return ok ? EXIT_FINE : EXIT_RIG;
}

static const export_format export_mjcf = {
  .ending = ".mjcf",
  .doc = "bodies, joints and couplings for MuJoCo; reports the error of each body",
  .options = no_options,
  .write = write_mjcf,
};

/* --- all formats, ended by NULL */

static const export_format *const formats[] = { &export_glb, &export_gltf, &export_mjcf,
                                                &export_vrm, &export_xml,  NULL };

static const export_format *format_of(const char *path) {
  for (int i = 0; formats[i]; i++)
    if (command_ends_with(path, formats[i]->ending)) return formats[i];
  return NULL;
}

static int unknown_format(const char *path) {
  char known[256] = "";
  size_t used = 0;
  for (int i = 0; formats[i] && used < sizeof known; i++)
    used += (size_t)snprintf(known + used, sizeof known - used, " %s", formats[i]->ending);
  return command_misused(&command_export, "unknown format of '%s'; known endings:%s", path, known);
}

static int print_schema(void) {
  char *text;
  size_t size;
  sinew_error error;
  if (sinew_xml_schema(&text, &size, &error) < 0) {
    command_failed(&error);
    return EXIT_CALL;
  }
  fwrite(text, 1, size, stdout);
  sinew_text_free(text);
  return EXIT_FINE;
}

static int run(int argc, char **argv) {
  if (argc == 1 && strcmp(argv[0], "--xsd") == 0) return print_schema();
  if (argc < 2 || argv[0][0] == '-' || argv[1][0] == '-')
    return command_misused(&command_export, "expects a rig and the file to write, then options");
  const export_format *format = format_of(argv[1]);
  if (!format) return unknown_format(argv[1]);
  sinew_host *host = command_open(argv[0]);
  if (!host) return EXIT_RIG;
  int code = format->write(host, argv[1], argc - 2, argv + 2);
  sinew_host_destroy(host);
  return code;
}

static void list_formats(void) {
  for (int i = 0; formats[i]; i++) {
    command_print("  %-8s %s\n", formats[i]->ending, formats[i]->doc);
    command_print_options(formats[i]->options, 13);
  }
}

const command command_export = {
  .name = "export",
  .usage = "RIG FILE [options], or --xsd",
  .doc = "writes a rig for other programs; the file extension selects the format",
  .help = "  --xsd    prints the schema of rigs in XML\n\n",
  .more_help = list_formats,
  .example = "sinew export rigs/knee.lua knee.glb --sweep knee.flexion",
  .run = run,
};
