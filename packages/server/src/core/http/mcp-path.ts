/** Path of the MCP endpoint, below the base path. */
export const MCP = '/mcp'
