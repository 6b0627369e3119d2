/* All tools, in the order in which they are drawn and asked. */
TOOL(dofs)
TOOL(details)
TOOL(edits)
TOOL(network)
TOOL(params)
TOOL(grab)
TOOL(files)
TOOL(time)
