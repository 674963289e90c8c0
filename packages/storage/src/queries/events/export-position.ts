import type { Reader, Tx } from '../../database.ts'

/** Name of the setting that stores the id of the last event that the receiver of the export has taken. */
const EXPORTED_UP_TO = 'eventsExportedUpTo'

/** Returns the id of the last event that the receiver of the export has taken; undefined before the first export. */
export async function readExportPosition(reader: Reader): Promise<number | undefined> {
  const row = await reader.selectFrom('settings').select('value').where('name', '=', EXPORTED_UP_TO).executeTakeFirst()
  return row === undefined ? undefined : Number(row.value)
}

/** Stores the id of the last event that the receiver of the export has taken. */
export async function storeExportPosition(tx: Tx, id: number): Promise<void> {
  const value = String(id)
  await tx
    .insertInto('settings')
    .values({ name: EXPORTED_UP_TO, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}
