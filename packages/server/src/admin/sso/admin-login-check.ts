import { createHash } from 'node:crypto'
import type { OidcSettings } from '@burgee/protocol/administration/single-sign-on'
import type { Reader } from '@burgee/storage/database'
import { listAdmins } from '@burgee/storage/queries/access/people'
import { findSetting } from '@burgee/storage/queries/access/users'
import { record } from '../../core/execute.ts'
import type { World } from '../../core/world.ts'

/** Settings that decide who can log in; `sealed` is the encrypted client secret. */
interface LoginSettings
  extends Pick<
    OidcSettings,
    'discoverUrl' | 'clientId' | 'idTokenSigningAlgorithm' | 'addGroupsScope' | 'acrValues' | 'emailDomains'
  > {
  readonly sealed: string | undefined
}

/**
 * Name of the setting that stores the last single sign-on login of an administrator, and the settings with which it
 * succeeded.
 */
const TEST = 'auth.oidc.test'

interface LoginTest {
  readonly key: string
  readonly userId: number
}

/**
 * Returns a hash of the settings that decide who can log in. If the hash has changed, an earlier login does not prove
 * that the current settings work.
 */
export function hashLoginSettings(settings: LoginSettings): string {
  const {
    discoverUrl,
    clientId,
    sealed = '',
    idTokenSigningAlgorithm,
    addGroupsScope,
    acrValues,
    emailDomains,
  } = settings
  const parts = [discoverUrl, clientId, sealed, idTokenSigningAlgorithm, addGroupsScope, acrValues, emailDomains]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

/** Returns true if a current administrator has logged in with the given settings. */
export async function isTestedByAdmin(reader: Reader, settings: LoginSettings): Promise<boolean> {
  const test = await readLastTest(reader)
  if (test?.key !== hashLoginSettings(settings)) return false
  return (await listAdmins(reader)).some(({ id }) => id === test.userId)
}

/**
 * Records that an administrator has logged in with the given settings; writes nothing for other users or repeated
 * logins.
 */
export async function recordLoginTest(
  world: World,
  settings: LoginSettings,
  { id: userId }: { readonly id: number },
): Promise<void> {
  const isKnown = await world.db.view(async (reader) => {
    if (await isTestedByAdmin(reader, settings)) return true
    return !(await listAdmins(reader)).some(({ id }) => id === userId)
  })
  if (isKnown) return
  const value = JSON.stringify({ key: hashLoginSettings(settings), userId } satisfies LoginTest)
  await record(world, (tx) =>
    tx
      .insertInto('settings')
      .values({ name: TEST, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute(),
  )
}

async function readLastTest(reader: Reader): Promise<LoginTest | undefined> {
  const stored = await findSetting(reader, TEST)
  return stored === undefined ? undefined : (JSON.parse(stored) as LoginTest)
}
