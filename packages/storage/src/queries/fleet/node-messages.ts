import { sql } from 'kysely'
import type { Tx } from '../../database.ts'
import { NODE_CHANNEL, SCHEMA_END } from '../../node-channel.ts'

/**
 * Sends a message to all nodes whose tables are in the same schema of a PostgreSQL database. The message is lost if no
 * node is listening. Message and schema name together must be shorter than 8,000 bytes.
 */
export async function sendNodeMessage(tx: Tx, message: string): Promise<void> {
  await sql`select pg_notify(${NODE_CHANNEL}, current_schema()::text || ${SCHEMA_END} || ${message})`.execute(tx)
}
