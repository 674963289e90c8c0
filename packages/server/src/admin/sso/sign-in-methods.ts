import { serialize } from '@burgee/kit/serialize'
import type { SsoOptions } from '../../core/options/sso-options.ts'
import { isSetByOptions } from '../../core/options/sso-options.ts'
import type { World } from '../../core/world.ts'
import { OIDC, OIDC_OFF, OIDC_SECRET_PURPOSE, readStoredOidc, type StoredOidc, toStoredOidc } from './oidc-settings.ts'
import { isPasswordLoginOff, PASSWORDS } from './password-login.ts'

/** Login settings, cached in memory. */
export interface SignInMethods {
  /** Returns the settings of single sign-on, even if single sign-on is off. */
  readonly oidc: () => StoredOidc
  readonly isSetByEnvironment: boolean
  readonly isPasswordOff: () => boolean
  /** Returns the client secret. Throws SecretUnreadable. */
  secret(): string
  /** Reads the settings again. Must be called after changing the settings. */
  read(): Promise<void>
}

type Deps = Pick<World, 'db' | 'broadcast' | 'secrets' | 'logger'>

/** Reads the settings, and rereads them after each change on this or another node. Throws OptionsError. */
export async function openSignInMethods(
  { db, broadcast, secrets, logger }: Deps,
  options: SsoOptions,
  isAway: boolean,
): Promise<SignInMethods> {
  const fixed = isSetByOptions(options) ? toStoredOidc(options) : undefined
  let oidc = fixed ?? OIDC_OFF
  let isPasswordOff = false
  // one query at a time, so that the query for the later of two changes also finishes last
  const read = serialize(async () => {
    const found = await db.view(async (reader) => ({
      oidc: await readStoredOidc(reader),
      isOff: await isPasswordLoginOff(reader),
    }))
    oidc = fixed ?? found.oidc
    isPasswordOff = found.isOff
  })
  if (!isAway) await read()
  broadcast.subscribe((events) => {
    if (!events.some(({ data }) => isSignInSetting(data))) return
    void read().catch((error: unknown) => logger.warn('Cannot reload the login settings', error))
  }, read)
  return {
    oidc: () => oidc,
    isSetByEnvironment: fixed !== undefined,
    isPasswordOff: () => isPasswordOff,
    secret: () =>
      fixed === undefined ? secrets.open(oidc.sealed ?? '', OIDC_SECRET_PURPOSE) : (options.oidcClientSecret ?? ''),
    read,
  }
}

function isSignInSetting(data: unknown): boolean {
  const id = (data as { readonly id?: unknown } | null)?.id
  return id === OIDC || id === PASSWORDS
}
