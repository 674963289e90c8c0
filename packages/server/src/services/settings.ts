import { invalid } from '@burgee/kit/input/refusals'
import type { CorsSettings } from '@burgee/protocol/ui-config'
import { setting } from '../store/access/users.ts'
import type { KeptSettings } from '../store/kept/kept-state.ts'
import type { Change } from './execute.ts'
import type { World } from './world.ts'

const ORIGINS = 'frontendApiOrigins'

/** What people set at run-time, at hand without asking the database. */
export interface Settings {
  /** Origins whose pages may call the frontend API. */
  readonly frontendApiOrigins: () => readonly string[]
  /** Tells installations apart. */
  readonly instanceId: () => string
}

/**
 * Reads the settings and follows their changes, also those of other nodes. `origins` hold until they are set. Those
 * that were `kept` hold instead until the broadcast says that the database can be read.
 */
export async function openSettings(
  { db, broadcast }: Pick<World, 'db' | 'broadcast'>,
  origins: readonly string[],
  kept?: KeptSettings,
): Promise<Settings> {
  let { frontendApiOrigins: current, instanceId } = kept ?? { frontendApiOrigins: origins, instanceId: '' }
  const read = async () => {
    const stored = await setting(db.reader, ORIGINS)
    current = stored === undefined ? origins : (JSON.parse(stored) as string[])
    instanceId = (await setting(db.reader, 'instanceId')) ?? ''
  }
  if (kept === undefined) await read()
  broadcast.subscribe((events) => {
    for (const { type, data } of events) {
      if (type !== 'setting-created' && type !== 'setting-updated') continue
      const { name, value } = data as { name: string; value: string[] }
      if (name === ORIGINS) current = value
    }
  }, read)
  return {
    frontendApiOrigins: () => current,
    instanceId: () => instanceId,
  }
}

/** Sets which origins may call the frontend API; the same again is no event. Throws ValidationError. */
export const setOrigins: Change<CorsSettings, void> = async (tx, { frontendApiOrigins }) => {
  const value = [...new Set(frontendApiOrigins.map(checkedOrigin))]
  const stored = await setting(tx, ORIGINS)
  const json = JSON.stringify(value)
  if (stored === json) return { result: undefined, events: [] }
  if (stored === undefined) await tx.insertInto('settings').values({ name: ORIGINS, value: json }).execute()
  else await tx.updateTable('settings').set({ value: json }).where('name', '=', ORIGINS).execute()
  const data = { name: ORIGINS, value }
  const event =
    stored === undefined
      ? { type: 'setting-created' as const, data }
      : { type: 'setting-updated' as const, data, preData: { name: ORIGINS, value: JSON.parse(stored) as unknown } }
  return { result: undefined, events: [event] }
}

/** An origin as browsers send it: no path, no slash at the end. */
function checkedOrigin(text: string): string {
  if (text === '*') return text
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || url.origin === 'null' || `${url.origin}/` !== url.href) {
    throw invalid(`"${text}" is no origin; it must look like https://example.com`, 'body/frontendApiOrigins')
  }
  return url.origin
}
