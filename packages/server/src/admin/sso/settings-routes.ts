import { invalid } from '@burgee/kit/input/refusals'
import {
  NotOffered,
  NotOfferedInput,
  OidcSettings,
  OidcSettingsInput,
  PasswordLogin,
  PasswordLoginInput,
} from '@burgee/protocol/administration/single-sign-on'
import { Problem } from '@burgee/protocol/problem'
import type { ChangeAuthor } from '../../core/access/rights/rights.ts'
import { dryRun, execute } from '../../core/execute.ts'
import { GUARDED_LIST, WRITE } from '../../core/http/problem-lists.ts'
import { type HttpWorld, type Routes, route } from '../../core/http/route.ts'
import { hashLoginSettings, isTestedByAdmin } from './admin-login-check.ts'
import { putOidc } from './change-oidc.ts'
import { callbackUrl } from './oidc-routes.ts'
import { OIDC_SECRET_PURPOSE, readStoredOidc, toOidcView } from './oidc-settings.ts'
import { putPasswordLogin } from './password-login.ts'
import { requireWorkingProvider } from './provider-check.ts'

const AUTH = '/api/admin/auth'
const common = { permission: 'ADMIN', tag: 'Single sign-on' } as const
const oidc = {
  ...common,
  url: `${AUTH}/oidc/settings`,
  replies: { 200: { description: 'Settings', schema: OidcSettings } },
}
const simple = {
  ...common,
  url: `${AUTH}/simple/settings`,
  replies: { 200: { description: 'Current setting', schema: PasswordLogin } },
}
const BY_VARIABLES =
  'Single sign-on is configured with variables of the server (OIDC_DISCOVER_URL and others): change these variables.'

async function readOidcView({ db, signIn, secrets, readableSecrets }: HttpWorld): Promise<OidcSettings> {
  const settings = signIn.oidc()
  const isTested = settings.enabled && (await db.view((reader) => isTestedByAdmin(reader, settings)))
  return toOidcView(settings, { isSetByEnvironment: signIn.isSetByEnvironment, isTested }, readableSecrets && secrets)
}

/** Stores OpenID Connect settings. If logins depend on the settings, first tests the settings with the provider. */
async function saveOidc(world: HttpWorld, actor: ChangeAuthor, given: OidcSettingsInput): Promise<void> {
  const checkedOver = await world.db.view(readStoredOidc)
  const change = { given, checkedOver }
  const after = await dryRun(world, actor, putOidc, { input: change, look: readStoredOidc })
  const isChecked = checkedOver.enabled && hashLoginSettings(checkedOver) === hashLoginSettings(after)
  if (after.enabled && !isChecked) {
    const secret = world.secrets.open(after.sealed ?? '', OIDC_SECRET_PURPOSE)
    await requireWorkingProvider({ settings: after, secret, redirectUri: callbackUrl(world.options) })
  }
  await execute(world, actor, putOidc, change)
}

/** Routes for the settings of the login methods. Source: wire protocol */
export const signInSettingsRoutes: Routes = [
  route({
    ...oidc,
    method: 'GET',
    summary: 'Returns the OpenID Connect settings; the secret is masked, except with `API_TOKEN_SECRETS=readable`.',
    problems: GUARDED_LIST,
    handle: (_input, world) => readOidcView(world),
  }),
  route({
    ...oidc,
    method: 'POST',
    summary:
      'Sets OpenID Connect. `*****` keeps the stored secret; omitted settings become empty or off. If this enables single sign-on or changes a setting that logins depend on, the settings are first tested with the provider; a 400 names the setting that does not work.',
    body: OidcSettingsInput,
    problems: [...WRITE, 'ConflictError'],
    handle: async ({ body, access }, world) => {
      if (world.signIn.isSetByEnvironment) throw new Problem('ConflictError', BY_VARIABLES)
      await saveOidc(world, access.actor, body)
      await world.signIn.read()
      return readOidcView(world)
    },
  }),
  route({
    ...simple,
    method: 'GET',
    summary: 'Returns whether password login is disabled.',
    problems: GUARDED_LIST,
    handle: (_input, { signIn }) => ({ disabled: signIn.isPasswordOff() }),
  }),
  route({
    ...simple,
    method: 'POST',
    summary:
      'Disables or enables password logins. They can be disabled only while single sign-on is enabled and an administrator has logged in through it with its current settings.',
    body: PasswordLoginInput,
    problems: [...WRITE, 'ConflictError'],
    handle: async ({ body, access }, world) => {
      const disabled = body.disabled ?? (body.enabled === undefined ? undefined : !body.enabled)
      if (disabled === undefined) throw invalid('The `disabled` property is missing', 'body/disabled')
      const oidcByOptions = world.signIn.isSetByEnvironment ? world.signIn.oidc() : undefined
      await execute(world, access.actor, putPasswordLogin, { disabled, oidcByOptions })
      await world.signIn.read()
      return { disabled }
    },
  }),
  ...unsupportedLoginRoutes('saml', 'SAML', 'Use OpenID Connect, which SAML providers also support.'),
  ...unsupportedLoginRoutes(
    'google',
    'Login with Google',
    'Use OpenID Connect with https://accounts.google.com as provider.',
  ),
]

/**
 * Creates the settings routes for a login method that this server does not support. Existing tools read and write the
 * settings of this method; the routes always reply that it is off.
 */
function unsupportedLoginRoutes(kind: string, name: string, instead: string): Routes {
  const at = {
    ...common,
    url: `${AUTH}/${kind}/settings`,
    replies: { 200: { description: 'Disabled', schema: NotOffered } },
  }
  return [
    route({
      ...at,
      method: 'GET',
      summary: `${name} is not supported: returns that it is off.`,
      problems: GUARDED_LIST,
      handle: () => ({ enabled: false as const }),
    }),
    route({
      ...at,
      method: 'POST',
      summary: `${name} is not supported: accepts only a request to disable it.`,
      body: NotOfferedInput,
      problems: WRITE,
      handle: ({ body }) => {
        if (body.enabled === true) throw invalid(`${name} is not supported. ${instead}`, 'body/enabled')
        return { enabled: false as const }
      },
    }),
  ]
}
