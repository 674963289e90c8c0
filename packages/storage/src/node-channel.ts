/**
 * PostgreSQL channel for messages between server nodes. Installations in other schemas of the same database use this
 * channel too.
 */
export const NODE_CHANNEL = 'burgee_nodes'

/** Separator between the sender's schema and the message. */
export const SCHEMA_END = '\n'

/** Returns the message in a payload; undefined if it was sent by an installation in another schema. */
export function readNodeMessage(payload: string, schema: string): string | undefined {
  const prefix = `${schema}${SCHEMA_END}`
  return payload.startsWith(prefix) ? payload.slice(prefix.length) : undefined
}
