import type { Reader, Tx } from '../../database.ts'
import { findSetting, storeSetting } from '../access/users.ts'

/** Name of the setting that stores the id of the last event that the receiver of the export has taken. */
const EXPORTED_UP_TO = 'eventsExportedUpTo'

/** Returns the id of the last event that the receiver of the export has taken; undefined before the first export. */
export async function readExportPosition(reader: Reader): Promise<number | undefined> {
  const stored = await findSetting(reader, EXPORTED_UP_TO)
  return stored === undefined ? undefined : Number(stored)
}

/** Stores the id of the last event that the receiver of the export has taken. */
export async function storeExportPosition(tx: Tx, id: number): Promise<void> {
  await storeSetting(tx, EXPORTED_UP_TO, String(id))
}
