import type { Insertable, Selectable } from 'kysely'
import type { Reader, Schema, Tx } from '../../database.ts'

/** Stored record of a write by an agent. */
export type AgentWriteRow = Selectable<Schema['agent_writes']>

/** Write by an agent, with the name of the account that owns the token. */
export interface ListedAgentWrite extends AgentWriteRow {
  readonly username: string | null
  readonly email: string | null
  /** Description of the token; null if the token was deleted. */
  readonly token: string | null
}

/** Stores a write. */
export async function insertAgentWrite(tx: Tx, row: Insertable<Schema['agent_writes']>): Promise<void> {
  await tx.insertInto('agent_writes').values(row).execute()
}

/** Counts the writes made with a token since the given time. */
export async function countAgentWrites(reader: Reader, tokenId: number, since: number): Promise<number> {
  const row = await reader
    .selectFrom('agent_writes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('token_id', '=', tokenId)
    .where('created_at', '>', since)
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/** Deletes the records of writes before the given time. */
export async function deleteAgentWrites(tx: Tx, before: number): Promise<void> {
  await tx.deleteFrom('agent_writes').where('created_at', '<', before).execute()
}

/** Returns the latest writes, newest first, without writes in projects that are hidden from the caller. */
export async function listAgentWrites(
  reader: Reader,
  { limit, hidden, userId }: { readonly limit: number; readonly hidden: readonly string[]; readonly userId?: number },
): Promise<ListedAgentWrite[]> {
  let query = reader
    .selectFrom('agent_writes as w')
    .leftJoin('users as u', 'u.id', 'w.user_id')
    .leftJoin('personal_tokens as t', 't.id', 'w.token_id')
    .selectAll('w')
    .select(['u.username', 'u.email', 't.description as token'])
  if (hidden.length > 0) query = query.where('w.project', 'not in', [...hidden])
  if (userId !== undefined) query = query.where('w.user_id', '=', userId)
  return query.orderBy('w.id', 'desc').limit(limit).execute()
}
