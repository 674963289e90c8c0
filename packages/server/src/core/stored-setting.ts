import type { Tx } from '@burgee/storage/database'
import { findSetting } from '@burgee/storage/queries/access/users'
import type { NewEvent } from '@burgee/storage/queries/events/events'

/** States of a setting before and after a change, as events show them: without id and secrets. */
export interface SettingStates {
  readonly before: object
  readonly after: object
}

/** Stores a setting as JSON. Returns the event. */
export async function putSetting(
  tx: Tx,
  { name, value }: { readonly name: string; readonly value: object },
  { before, after }: SettingStates,
): Promise<NewEvent[]> {
  const text = JSON.stringify(value)
  const data = { id: name, ...after }
  if ((await findSetting(tx, name)) === undefined) {
    await tx.insertInto('settings').values({ name, value: text }).execute()
    return [{ type: 'setting-created', data }]
  }
  await tx.updateTable('settings').set({ value: text }).where('name', '=', name).execute()
  return [{ type: 'setting-updated', data, preData: { id: name, ...before } }]
}
