/* All tools, in the order in which they are drawn and asked. */
TOOL(dofs)
TOOL(details)
TOOL(limits)
TOOL(grab)
TOOL(files)
TOOL(time)
TOOL(skin)
