/* Every subcommand, in the order in which help lists them. */
COMMAND(eval)
COMMAND(check)
COMMAND(explain)
COMMAND(graph)
COMMAND(dump)
COMMAND(view)
COMMAND(motion)
COMMAND(bake)
