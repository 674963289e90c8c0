import { inTurn } from '@burgee/kit/in-turn'
import type { SsoOptions } from '../../sso-options.ts'
import { isSetByOptions } from '../../sso-options.ts'
import type { World } from '../world.ts'
import {
  isPasswordLoginOff,
  OIDC,
  OIDC_OFF,
  oidcOfOptions,
  PASSWORDS,
  SECRET_OF,
  type StoredOidc,
  storedOidc,
} from './oidc-settings.ts'

/** Login settings, readable without a query. */
export interface SignInWays {
  /** Returns the settings of single sign-on, even if it is off. */
  readonly oidc: () => StoredOidc
  readonly isSetByEnvironment: boolean
  readonly isPasswordOff: () => boolean
  /** Returns the client secret. Throws SecretUnreadable. */
  secret(): string
  /** Reads the settings again. A caller that has just changed the settings must call it. */
  read(): Promise<void>
}

type Deps = Pick<World, 'db' | 'broadcast' | 'secrets' | 'logger'>

/** Reads the settings and follows their changes, including those of other nodes. Throws OptionsError. */
export async function openSignInWays(
  { db, broadcast, secrets, logger }: Deps,
  options: SsoOptions,
  isAway: boolean,
): Promise<SignInWays> {
  const fixed = isSetByOptions(options) ? oidcOfOptions(options) : undefined
  let oidc = fixed ?? OIDC_OFF
  let isPasswordOff = false
  // serialized, so that after two changes, the query for the later change also finishes last
  const read = inTurn(async () => {
    const found = await db.view(async (reader) => ({
      oidc: await storedOidc(reader),
      isOff: await isPasswordLoginOff(reader),
    }))
    oidc = fixed ?? found.oidc
    isPasswordOff = found.isOff
  })
  if (!isAway) await read()
  broadcast.subscribe((events) => {
    if (!events.some(({ data }) => isOfThese(data))) return
    void read().catch((error: unknown) => logger.warn('How people may log in could not be read anew', error))
  }, read)
  return {
    oidc: () => oidc,
    isSetByEnvironment: fixed !== undefined,
    isPasswordOff: () => isPasswordOff,
    secret: () => (fixed === undefined ? secrets.open(oidc.sealed ?? '', SECRET_OF) : (options.oidcClientSecret ?? '')),
    read,
  }
}

function isOfThese(data: unknown): boolean {
  const id = (data as { readonly id?: unknown } | null)?.id
  return id === OIDC || id === PASSWORDS
}
