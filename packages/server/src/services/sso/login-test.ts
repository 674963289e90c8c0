import { createHash } from 'node:crypto'
import type { OidcSettings } from '@burgee/protocol/administration/single-sign-on'
import { admins } from '../../store/access/people.ts'
import { setting } from '../../store/access/users.ts'
import type { Reader } from '../../store/database.ts'
import { record } from '../execute.ts'
import type { World } from '../world.ts'

/** Settings that decide whether somebody gets in; `sealed` is the secret, encrypted. */
interface LoginSettings
  extends Pick<
    OidcSettings,
    'discoverUrl' | 'clientId' | 'idTokenSigningAlgorithm' | 'addGroupsScope' | 'acrValues' | 'emailDomains'
  > {
  readonly sealed: string | undefined
}

/** Setting that keeps the last login of an administrator through single sign-on, and with which settings it succeeded. */
const TEST = 'auth.oidc.test'

interface LoginTest {
  readonly key: string
  readonly userId: number
}

/** Hash of the settings that decide whether somebody gets in; another key means that a past login proves nothing. */
export function loginKey(settings: LoginSettings): string {
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

/** True if somebody who is an administrator now has logged in with these settings. */
export async function isTestedByAdmin(reader: Reader, settings: LoginSettings): Promise<boolean> {
  const test = await lastTest(reader)
  if (test?.key !== loginKey(settings)) return false
  return (await admins(reader)).some(({ id }) => id === test.userId)
}

/** Notes that an administrator got in with these settings; the login of somebody else, or the same again, writes nothing. */
export async function noteLoginTest(
  world: World,
  settings: LoginSettings,
  { id: userId }: { readonly id: number },
): Promise<void> {
  const isKnown = await world.db.view(async (reader) => {
    if (await isTestedByAdmin(reader, settings)) return true
    return !(await admins(reader)).some(({ id }) => id === userId)
  })
  if (isKnown) return
  const value = JSON.stringify({ key: loginKey(settings), userId } satisfies LoginTest)
  await record(world, (tx) =>
    tx
      .insertInto('settings')
      .values({ name: TEST, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute(),
  )
}

async function lastTest(reader: Reader): Promise<LoginTest | undefined> {
  const stored = await setting(reader, TEST)
  return stored === undefined ? undefined : (JSON.parse(stored) as LoginTest)
}
