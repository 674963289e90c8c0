/** PostgreSQL channel of messages between server nodes. Installations in other schemas of the database use it too. */
export const NODE_CHANNEL = 'burgee_nodes'

/** Separates the schema of the sender from the message. */
export const SCHEMA_END = '\n'

/** Returns the message in a payload; undefined if an installation in another schema has sent it. */
export function readNodeMessage(payload: string, schema: string): string | undefined {
  const prefix = `${schema}${SCHEMA_END}`
  return payload.startsWith(prefix) ? payload.slice(prefix.length) : undefined
}
