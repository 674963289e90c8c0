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
import { execute } from '../../services/execute.ts'
import { oidcView, putOidc, putPasswordLogin } from '../../services/sso/oidc-settings.ts'
import { GUARDED_LIST, WRITE } from '../problem-lists.ts'
import { type HttpWorld, type Routes, route } from '../route.ts'

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
  replies: { 200: { description: 'Whether it is off', schema: PasswordLogin } },
}
const BY_VARIABLES =
  'Single sign-on is set by variables of the server (OIDC_DISCOVER_URL and those beside it): change it there.'

const viewOf = ({ signIn, secrets, readableSecrets }: HttpWorld) =>
  oidcView(signIn.oidc(), signIn.isSetByEnvironment, readableSecrets && secrets)

/** How people may log in. Source: wire protocol */
export const signInSettingsRoutes: Routes = [
  route({
    ...oidc,
    method: 'GET',
    summary: 'Settings of OpenID Connect; the secret is masked, but with `API_TOKEN_SECRETS=readable`.',
    problems: GUARDED_LIST,
    handle: (_input, world) => viewOf(world),
  }),
  route({
    ...oidc,
    method: 'POST',
    summary: 'Sets OpenID Connect; `*****` as secret keeps what is stored, and what is left out is empty or off.',
    body: OidcSettingsInput,
    problems: [...WRITE, 'ConflictError'],
    handle: async ({ body, access }, world) => {
      if (world.signIn.isSetByEnvironment) throw new Problem('ConflictError', BY_VARIABLES)
      await execute(world, access.actor, putOidc, body)
      await world.signIn.read()
      return viewOf(world)
    },
  }),
  route({
    ...simple,
    method: 'GET',
    summary: 'Whether logins with a password are switched off.',
    problems: GUARDED_LIST,
    handle: (_input, { signIn }) => ({ disabled: signIn.isPasswordOff() }),
  }),
  route({
    ...simple,
    method: 'POST',
    summary: 'Switches logins with a password off or on; off only while single sign-on is on.',
    body: PasswordLoginInput,
    problems: [...WRITE, 'ConflictError'],
    handle: async ({ body, access }, world) => {
      const disabled = body.disabled ?? (body.enabled === undefined ? undefined : !body.enabled)
      if (disabled === undefined) throw invalid('The `disabled` property is missing', 'body/disabled')
      const isSsoOn = world.signIn.oidc().enabled
      await execute(world, access.actor, putPasswordLogin, { disabled, isSsoOn })
      await world.signIn.read()
      return { disabled }
    },
  }),
  ...notOffered('saml', 'SAML', 'Use OpenID Connect, which providers of SAML offer as well.'),
  ...notOffered('google', 'Login by Google', 'Use OpenID Connect with https://accounts.google.com as provider.'),
]

/** Settings that tools read and set although there is nothing to set: off is what it is. */
function notOffered(kind: string, name: string, instead: string): Routes {
  const at = {
    ...common,
    url: `${AUTH}/${kind}/settings`,
    replies: { 200: { description: 'It is off', schema: NotOffered } },
  }
  return [
    route({
      ...at,
      method: 'GET',
      summary: `${name} is not offered: it is always off.`,
      problems: GUARDED_LIST,
      handle: () => ({ enabled: false as const }),
    }),
    route({
      ...at,
      method: 'POST',
      summary: `${name} is not offered: only off is taken.`,
      body: NotOfferedInput,
      problems: WRITE,
      handle: ({ body }) => {
        if (body.enabled === true) throw invalid(`${name} is not offered. ${instead}`, 'body/enabled')
        return { enabled: false as const }
      },
    }),
  ]
}
