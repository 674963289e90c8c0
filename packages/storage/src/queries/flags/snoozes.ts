import type { Selectable } from 'kysely'
import { chunks } from '../../chunks.ts'
import type { Reader, Schema, Tx } from '../../database.ts'

/** Snooze: no reminders about a flag are sent until a date. */
export type SnoozeRow = Selectable<Schema['feature_snoozes']>

/** Returns the snoozes that have not yet expired at the time `now`, by flag name. */
export async function readSnoozesAt(reader: Reader, now: number): Promise<Map<string, SnoozeRow>> {
  const rows = await reader.selectFrom('feature_snoozes').selectAll().where('until', '>', now).execute()
  return new Map(rows.map((row) => [row.feature_name, { ...row, until: Number(row.until) }]))
}

/** Returns the snoozes of the given flags, by flag name. Includes expired snoozes. */
export async function readSnoozes(reader: Reader, names: readonly string[]): Promise<Map<string, SnoozeRow>> {
  const found = new Map<string, SnoozeRow>()
  for (const part of chunks(names)) {
    const rows = await reader.selectFrom('feature_snoozes').selectAll().where('feature_name', 'in', part).execute()
    for (const row of rows) found.set(row.feature_name, { ...row, until: Number(row.until) })
  }
  return found
}

/** Inserts snoozes. Stores snoozes, replacing existing snoozes of the same flags. */
export async function putSnoozes(tx: Tx, rows: readonly SnoozeRow[]): Promise<void> {
  for (const part of chunks(rows)) {
    await tx
      .insertInto('feature_snoozes')
      .values(part)
      .onConflict((conflict) =>
        conflict
          .column('feature_name')
          .doUpdateSet(({ ref }) => ({ until: ref('excluded.until'), created_by: ref('excluded.created_by') })),
      )
      .execute()
  }
}

/** Deletes the snoozes of flags. */
export async function removeSnoozes(tx: Tx, names: readonly string[]): Promise<void> {
  for (const part of chunks(names)) {
    await tx.deleteFrom('feature_snoozes').where('feature_name', 'in', part).execute()
  }
}
