import type { Selectable } from 'kysely'
import type { Reader, Schema, Tx } from '../../database.ts'

/** Stored signal endpoint. */
export type SignalEndpointRow = Selectable<Schema['signal_endpoints']>

/** Lists signal endpoints by name. */
export function listSignalEndpoints(reader: Reader): Promise<SignalEndpointRow[]> {
  return reader.selectFrom('signal_endpoints').selectAll().orderBy('name').execute()
}

/** Returns a signal endpoint by name. */
export function findSignalEndpoint(reader: Reader, name: string): Promise<SignalEndpointRow | undefined> {
  return reader.selectFrom('signal_endpoints').selectAll().where('name', '=', name).executeTakeFirst()
}

/** Inserts a signal endpoint, or replaces the token of the endpoint with the same name. */
export async function putSignalEndpoint(tx: Tx, row: SignalEndpointRow): Promise<void> {
  await tx
    .insertInto('signal_endpoints')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ token_hash: row.token_hash, last_used_at: null }))
    .execute()
}

/** Stores the time at which a signal endpoint last received a signal. */
export async function touchSignalEndpoint(tx: Tx, name: string, now: number): Promise<void> {
  await tx.updateTable('signal_endpoints').set({ last_used_at: now }).where('name', '=', name).execute()
}

/** Deletes a signal endpoint. */
export async function deleteSignalEndpoint(tx: Tx, name: string): Promise<void> {
  await tx.deleteFrom('signal_endpoints').where('name', '=', name).execute()
}
