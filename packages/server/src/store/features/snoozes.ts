import type { Selectable } from 'kysely'
import { chunks } from '../chunks.ts'
import type { Reader, Schema, Tx } from '../database.ts'

/** A flag that nobody wants to be reminded of until a time. */
export type SnoozeRow = Selectable<Schema['feature_snoozes']>

/** Those that hold at a time, by flag. */
export async function snoozesAt(reader: Reader, now: number): Promise<Map<string, SnoozeRow>> {
  const rows = await reader.selectFrom('feature_snoozes').selectAll().where('until', '>', now).execute()
  return new Map(rows.map((row) => [row.feature_name, { ...row, until: Number(row.until) }]))
}

/** Those of flags by name, also where their time is over. */
export async function snoozesOf(reader: Reader, names: readonly string[]): Promise<Map<string, SnoozeRow>> {
  const found = new Map<string, SnoozeRow>()
  for (const part of chunks(names)) {
    const rows = await reader.selectFrom('feature_snoozes').selectAll().where('feature_name', 'in', part).execute()
    for (const row of rows) found.set(row.feature_name, { ...row, until: Number(row.until) })
  }
  return found
}

/** Adds or replaces them. */
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

/** Takes them back. */
export async function removeSnoozes(tx: Tx, names: readonly string[]): Promise<void> {
  for (const part of chunks(names)) {
    await tx.deleteFrom('feature_snoozes').where('feature_name', 'in', part).execute()
  }
}
