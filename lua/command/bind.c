/* sinew bind: makes a character follow a rig. */
#include "lua/command/command.h"

#include <sinew/bind.h>

typedef struct call {
  const char *rig, *character, *map, *out;
} call;

static const command_option options[] = {
  { "RIG", OPTION_ARGUMENT, .offset = offsetof(call, rig) },
  { "CHARACTER", OPTION_ARGUMENT, .offset = offsetof(call, character),
    "a skinned model: .glb, .gltf or .vrm" },
  { "-o OUT.lua", OPTION_TEXT, .offset = offsetof(call, out),
    "the rig script to write; the rig with the character's proportions\n"
    "is written beside it as OUT.xml",
    .required = true },
  { "--map MAP", OPTION_TEXT, .offset = offsetof(call, map),
    "joints and the segments that they follow: a map that was written\n"
    "to fill in, or a script of an earlier bind" },
  { .name = NULL },
};

static int run(int argc, char **argv) {
  call c = { 0 };
  sinew_error error;
  if (!command_read(&command_bind, options, argc, argv, &c)) return EXIT_CALL;
  if (!command_ends_with(c.out, ".lua"))
    return command_misused(&command_bind, "'-o' expects a file that ends with .lua");
  sinew_host *host = command_open(c.rig);
  if (!host) return EXIT_RIG;
  bool ok = sinew_bind(host, c.character, c.map, c.out, &error) >= 0 || command_failed(&error);
  sinew_host_destroy(host);
  return ok ? EXIT_FINE : EXIT_RIG;
}

const command command_bind = {
  .name = "bind",
  .doc = "makes a skinned character follow a rig, and reports which joint is which",
  .options = options,
  .help =
      "`sinew export OUT.lua hero.glb --clip walk.json` writes the character with motion on its\n"
      "own joints.\n",
  .example = "sinew bind rigs/human.lua hero.glb -o hero.lua",
  .run = run,
};
