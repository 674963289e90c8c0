import { invalid } from '@burgee/kit/input/refusals'
import type { CorsSettings, MaintenanceMode } from '@burgee/protocol/ui-config'
import { findSetting } from '@burgee/storage/queries/access/users'
import type { SnapshotSettings } from '@burgee/storage/queries/snapshot/snapshot-state'
import type { Change } from './execute.ts'
import type { World } from './world.ts'

const ORIGINS = 'frontendApiOrigins'
/** Id of the setting for allowed origins, as used in events. Source: wire protocol */
const FRONTEND = 'unleash.frontend'
const MAINTENANCE = 'maintenance.mode'

/** Run-time settings, cached in memory. */
export interface Settings {
  /** Returns the origins whose pages may call the frontend API. */
  readonly frontendApiOrigins: () => readonly string[]
  /** Returns true while the admin API rejects changes. */
  readonly isInMaintenance: () => boolean
  /** Returns the id of this installation. */
  readonly instanceId: () => string
}

/** Values that options provide for run-time settings. */
export interface SettingsByOptions {
  /** Origins to use until others are set at run time. */
  readonly frontendApiOrigins: readonly string[]
  /** True to force maintenance mode, overriding the run-time setting. */
  readonly maintenanceMode: boolean
}

/**
 * Reads the settings, and rereads them after each change on this or another node. If `kept` is given, these settings
 * from the snapshot apply until the broadcast reports that the database can be read.
 */
export async function openSettings(
  { db, broadcast }: Pick<World, 'db' | 'broadcast'>,
  { frontendApiOrigins: origins, maintenanceMode }: SettingsByOptions,
  kept?: SnapshotSettings,
): Promise<Settings> {
  let { frontendApiOrigins: current, instanceId } = kept ?? { frontendApiOrigins: origins, instanceId: '' }
  let isInMaintenance = false
  const read = async () => {
    const stored = await findSetting(db.reader, ORIGINS)
    current = stored === undefined ? origins : (JSON.parse(stored) as string[])
    instanceId = (await findSetting(db.reader, 'instanceId')) ?? ''
    isInMaintenance = (await findSetting(db.reader, MAINTENANCE)) === 'true'
  }
  if (kept === undefined) await read()
  broadcast.subscribe((events) => {
    for (const { type, data } of events) {
      if (type !== 'setting-created' && type !== 'setting-updated') continue
      const { id, frontendApiOrigins, enabled } = data as Partial<SettingState>
      if (id === FRONTEND && frontendApiOrigins !== undefined) current = frontendApiOrigins
      if (id === MAINTENANCE) isInMaintenance = enabled === true
    }
  }, read)
  return {
    frontendApiOrigins: () => current,
    isInMaintenance: () => maintenanceMode || isInMaintenance,
    instanceId: () => instanceId,
  }
}

/** State of a setting in an event: the allowed origins, or the maintenance mode. Source: wire protocol */
interface SettingState {
  readonly id: string
  readonly frontendApiOrigins: string[]
  readonly enabled: boolean
}

/** Turns maintenance mode on or off on all nodes; creates no event if nothing changes. */
export const setMaintenance: Change<MaintenanceMode, void> = async (tx, { enabled }) => {
  const stored = await findSetting(tx, MAINTENANCE)
  if ((stored === 'true') === enabled) return { result: undefined, events: [] }
  const value = String(enabled)
  const data = { id: MAINTENANCE, enabled }
  if (stored === undefined) {
    await tx.insertInto('settings').values({ name: MAINTENANCE, value }).execute()
    return { result: undefined, events: [{ type: 'setting-created', data }] }
  }
  await tx.updateTable('settings').set({ value }).where('name', '=', MAINTENANCE).execute()
  return { result: undefined, events: [{ type: 'setting-updated', data, preData: { ...data, enabled: !enabled } }] }
}

/**
 * Sets the origins whose pages may call the frontend API; creates no event if nothing changes. Throws ValidationError.
 */
export const setOrigins: Change<CorsSettings, void> = async (tx, { frontendApiOrigins }) => {
  const value = [...new Set(frontendApiOrigins.map(parseOrigin))]
  const stored = await findSetting(tx, ORIGINS)
  const json = JSON.stringify(value)
  if (stored === json) return { result: undefined, events: [] }
  if (stored === undefined) await tx.insertInto('settings').values({ name: ORIGINS, value: json }).execute()
  else await tx.updateTable('settings').set({ value: json }).where('name', '=', ORIGINS).execute()
  const data = { id: FRONTEND, frontendApiOrigins: value }
  if (stored === undefined) return { result: undefined, events: [{ type: 'setting-created', data }] }
  const preData = { frontendApiOrigins: JSON.parse(stored) as unknown }
  return { result: undefined, events: [{ type: 'setting-updated', data, preData }] }
}

/** Validates an origin in the form that browsers send: without a path and a trailing slash. */
function parseOrigin(text: string): string {
  if (text === '*') return text
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || url.origin === 'null' || `${url.origin}/` !== url.href) {
    throw invalid(`"${text}" is not an origin; it must look like https://example.com`, 'body/frontendApiOrigins')
  }
  return url.origin
}
