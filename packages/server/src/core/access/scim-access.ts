import { hash } from 'node:crypto'
import { serialize } from '@burgee/kit/serialize'
import type { ScimSettings, ScimSettingsInput } from '@burgee/protocol/administration/scim'
import type { Reader, Tx } from '@burgee/storage/database'
import { findSetting } from '@burgee/storage/queries/access/users'
import type { Change } from '../execute.ts'
import type { World } from '../world.ts'

const SCIM = 'scim'
const SECRET_BYTES = 32
const PREFIX = 'scim:'

/** Stored settings. The token is stored only as its SHA-256 in hex. */
interface StoredScim {
  readonly enabled: boolean
  readonly tokenHash?: string | undefined
}
const OFF: StoredScim = { enabled: false }

/** SCIM settings, cached in memory. */
export interface ScimAccess {
  readonly settings: () => ScimSettings
  /** Returns true if SCIM is enabled and the secret is the SCIM token. */
  readonly opens: (secret: string) => boolean
  /** Reads the settings again. Must be called after changing the settings. */
  read(): Promise<void>
}

/** Reads the settings, and rereads the settings after each change on this or another node. */
export async function openScimAccess(
  { db, broadcast, logger }: Pick<World, 'db' | 'broadcast' | 'logger'>,
  isAway: boolean,
): Promise<ScimAccess> {
  let stored = OFF
  const read = serialize(async () => {
    stored = await db.view(readStoredScim)
  })
  if (!isAway) await read()
  broadcast.subscribe((events) => {
    if (!events.some(({ data }) => (data as { readonly id?: unknown } | null)?.id === SCIM)) return
    void read().catch((error: unknown) => logger.warn('Cannot reload the SCIM settings', error))
  }, read)
  return {
    settings: () => ({ enabled: stored.enabled, hasToken: stored.tokenHash !== undefined }),
    opens: (secret) => stored.enabled && secret.startsWith(PREFIX) && hash('sha256', secret) === stored.tokenHash,
    read,
  }
}

/** Enables or disables SCIM; creates no event if nothing changes. */
export const putScimSettings: Change<ScimSettingsInput, void> = async (tx, { enabled }) => {
  const before = await readStoredScim(tx)
  if (before.enabled === enabled) return { result: undefined, events: [] }
  return { result: undefined, events: await store(tx, { ...before, enabled }, {}) }
}

/** Creates a new token and immediately revokes the previous token. Only the hash of the new token is stored. */
export const renewScimToken: Change<undefined, string> = async (tx, _input, { random }) => {
  const token = `${PREFIX}${Buffer.from(random(SECRET_BYTES)).toString('hex')}`
  const before = await readStoredScim(tx)
  return {
    result: token,
    events: await store(tx, { ...before, tokenHash: hash('sha256', token) }, { tokenChanged: true }),
  }
}

async function readStoredScim(reader: Reader): Promise<StoredScim> {
  const text = await findSetting(reader, SCIM)
  return text === undefined ? OFF : (JSON.parse(text) as StoredScim)
}

async function store(tx: Tx, after: StoredScim, more: object) {
  const isNew = (await findSetting(tx, SCIM)) === undefined
  const value = JSON.stringify(after)
  if (isNew) await tx.insertInto('settings').values({ name: SCIM, value }).execute()
  else await tx.updateTable('settings').set({ value }).where('name', '=', SCIM).execute()
  const data = { id: SCIM, enabled: after.enabled, ...more }
  return [{ type: isNew ? ('setting-created' as const) : ('setting-updated' as const), data }]
}
