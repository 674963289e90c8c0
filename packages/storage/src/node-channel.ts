/** PostgreSQL channel of messages between server nodes. */
export const NODE_CHANNEL = 'burgee_nodes'
