import type { Reader, Tx } from '../../database.ts'

/** Returns the id of the last event in the notifications that a user has read; undefined if the user has read none. */
export async function findReadUpTo(reader: Reader, userId: number): Promise<number | undefined> {
  const row = await reader
    .selectFrom('notification_reads')
    .select('read_up_to')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row?.read_up_to
}

/**
 * Stores the id of the last event in the notifications that a user has read. The stored id never decreases. Returns the
 * id that is stored afterwards.
 */
export async function putReadUpTo(tx: Tx, userId: number, upTo: number): Promise<number> {
  await tx
    .insertInto('notification_reads')
    .values({ user_id: userId, read_up_to: upTo })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ read_up_to: upTo }).where('notification_reads.read_up_to', '<', upTo),
    )
    .execute()
  return (await findReadUpTo(tx, userId)) ?? upTo
}
