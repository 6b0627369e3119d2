/* sinew plant: keeps the feet of a clip where they stand. */
#include "lua/command/command.h"

#include <sinew/bind.h>

typedef struct call {
  const char *rig, *clip, *out, *from, *tuning;
} call;

static const command_option options[] = {
  { "RIG", OPTION_ARGUMENT, .offset = offsetof(call, rig) },
  { "CLIP", OPTION_ARGUMENT, .offset = offsetof(call, clip) },
  { "-o OUT.json", OPTION_TEXT, .offset = offsetof(call, out), "the clip to write",
    .required = true },
  { "--from RIG", OPTION_TEXT, .offset = offsetof(call, from),
    "the rig that the clip was made for, if its legs are others: the\n"
    "body goes as much less far as the legs are shorter" },
  { "--from-tuning FILE", OPTION_TEXT, .offset = offsetof(call, tuning),
    "a tuning of that rig, as `sinew fit --tuned` writes it" },
  { .name = NULL },
};

static int run(int argc, char **argv) {
  call c = { 0 };
  sinew_error error;
  if (!command_read(&command_plant, options, argc, argv, &c)) return EXIT_CALL;
  if (!command_ends_with(c.out, ".json"))
    return command_misused(&command_plant, "'-o' expects a file that ends with .json");
  if (c.tuning && !c.from) return command_misused(&command_plant, "'--from-tuning' needs '--from'");
  sinew_host *host = command_open(c.rig), *from = NULL;
  if (!host) return EXIT_RIG;
  bool ok = true;
  if (c.from) {
    command_tuning = c.tuning;
    from = command_open(c.from);
    ok = from != NULL;
  }
  ok = ok && (sinew_plant(host, from, c.clip, c.out, &error) >= 0 || command_failed(&error));
  sinew_host_destroy(from);
  sinew_host_destroy(host);
  return ok ? EXIT_FINE : EXIT_RIG;
}

const command command_plant = {
  .name = "plant",
  .doc = "keeps the feet of a clip where they stand, on a rig with other legs",
  .options = options,
  .help =
      "The rig has the feet and the DOFs body.x, body.y and body.z of rigs/human.lua; for others\n"
      "there is `require \"sinew.plant\"` in Lua.\n",
  .example = "sinew plant hero.lua walk.json --from rigs/human.lua -o planted.json",
  .run = run,
};
