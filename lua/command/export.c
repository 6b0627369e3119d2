/* sinew export: writes a rig for other programs; the file's ending says in which format. */
#include "export.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* every format, ended by NULL; a new one is a file export_<name>.c and a line here */
static const export_format *const formats[] = { &export_xml, &export_glb, &export_gltf, NULL };

int export_misused(const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return command_misused(&command_export, "%s", text);
}

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
  return export_misused("'%s' has none of the endings it can write:%s", path, known);
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
    return export_misused("takes a rig and the file to write, then options");
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
