import { sql } from 'kysely'
import type { Tx } from '../../database.ts'
import { NODE_CHANNEL } from '../../node-channel.ts'

/** Sends a message of less than 8,000 bytes to all nodes of a PostgreSQL database. It is lost if no node listens. */
export async function sendNodeMessage(tx: Tx, message: string): Promise<void> {
  await sql`select pg_notify(${NODE_CHANNEL}, ${message})`.execute(tx)
}
