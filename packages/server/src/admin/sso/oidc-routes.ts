import { type Caller, Reply } from '@burgee/kit/http/route'
import { getQuery } from '@burgee/kit/http/url-parts'
import { Throttle } from '@burgee/kit/throttle'
import { Problem } from '@burgee/protocol/problem'
import type { UserRow } from '@burgee/storage/queries/access/users'
import Type from 'typebox'
import { findCookie, sessionCookie } from '../../core/access/cookies.ts'
import { getUserName, type SystemActor } from '../../core/access/rights/rights.ts'
import { isFromOtherPage } from '../../core/access/same-origin.ts'
import type { SecurityEntry } from '../../core/access/security/security-entry.ts'
import { execute } from '../../core/execute.ts'
import { inMaintenance } from '../../core/http/maintenance.ts'
import { publicUrl } from '../../core/http/public-url.ts'
import { type HttpWorld, type Routes, route } from '../../core/http/route.ts'
import { SYSTEM } from '../../core/world.ts'
import { recordLoginTest } from './admin-login-check.ts'
import { NoAccount, resolveAccount } from './login-accounts.ts'
import { OidcProvider, ProviderUnreachable, SignInRejected } from './oidc-provider.ts'
import { expiredPendingCookie, findPendingSignIn, pendingCookie, toLocalPath } from './pending-cookie.ts'
import { type SignInLinks, signInPage, toNextQuery } from './sign-in-page.ts'

const LOGIN = '/auth/oidc/login'
const CALLBACK = { method: 'GET', route: '/auth/oidc/callback' } as const
const START = { method: 'GET', route: LOGIN } as const
const REFERENCE_BYTES = 5
const common = { method: 'GET', permission: 'public', tag: 'Single sign-on' } as const
const PAGE = { description: 'A page with the error', contentType: 'text/html' } as const

/** Dependencies of the routes that start and complete a sign-in. */
interface SignInDeps {
  readonly provider: OidcProvider
  readonly basePath: string
  /** Logs an error for the operator, at a limited rate. */
  readonly warn: (error: unknown, reference?: string) => void
}

type World = Pick<HttpWorld, 'monotonic' | 'random' | 'options' | 'logger'>

/**
 * Creates the routes that redirect users to the OpenID Connect provider and receive them back. Source: wire protocol
 */
export function oidcRoutes({ logger, ...world }: World): Routes {
  const throttle = new Throttle()
  const warn = (error: unknown, reference?: string) => {
    const more = throttle.pass('provider')
    const suffix = reference === undefined ? '' : `, reference ${reference}`
    if (more !== undefined) logger.warn(`Single sign-on: ${describeReason(error)}${suffix}${more}`)
  }
  const parts = { provider: createProvider(world, warn), basePath: world.options.baseUriPath, warn }
  return [
    route({
      ...common,
      url: LOGIN,
      summary:
        'Redirects a browser to the provider; `next` is the path to continue at after the login. From a page of another origin, redirects to the login page instead.',
      first: (caller, { limits }) => limits.login(caller),
      query: Type.Object({ next: Type.Optional(Type.String({ maxLength: 1000 })) }),
      replies: { 302: { description: 'Redirect to the provider, or to the login page' }, 503: PAGE },
      problems: ['NotFoundError', 'ValidationError', 'RateLimitError'],
      handle: ({ query, caller }, world) => startSignIn(parts, world, { caller, next: toLocalPath(query.next) }),
    }),
    route({
      ...common,
      url: CALLBACK.route,
      summary: 'Callback of the provider: logs in the user who started the login in the same browser, once.',
      first: (caller, { limits }) => limits.login(caller),
      replies: {
        302: { description: 'Redirect to the page where the login started' },
        400: PAGE,
        403: PAGE,
        409: PAGE,
        503: PAGE,
      },
      problems: ['NotFoundError', 'RateLimitError'],
      handle: ({ caller }, world) => finishSignIn(parts, world, caller),
    }),
  ]
}

function createProvider(
  { monotonic, random, options }: Omit<World, 'logger'>,
  warn: (error: unknown) => void,
): OidcProvider {
  return new OidcProvider({ monotonic, random, redirectUri: callbackUrl(options), warn })
}

/** Returns the URL to which the provider redirects users. */
export function callbackUrl(options: HttpWorld['options']): string {
  return `${publicUrl(options)}${CALLBACK.route}`
}

async function startSignIn(
  { provider, basePath, warn }: SignInDeps,
  world: HttpWorld,
  { caller, next }: { readonly caller: Caller; readonly next: string },
): Promise<Reply> {
  const { oidc, secret } = requireOidcEnabled(world)
  // the provider can confirm a login without asking the user, so a link on another site must not start a login
  if (isFromOtherPage(caller, world.callers))
    return new Reply(302, undefined, { location: `${basePath}/login${toNextQuery(next)}` })
  try {
    const { url, pending } = await provider.begin(oidc, secret, next)
    const cookie = pendingCookie(pending, world.callers.getCookieOptions(caller))
    return new Reply(302, undefined, { location: url.href, 'set-cookie': cookie })
  } catch (error) {
    if (!(error instanceof ProviderUnreachable)) throw error
    const failure = { status: 503, text: AWAY, reference: createReference(world) }
    world.security?.record(toRefusal(world, caller, { ...failure, error, via: START }))
    warn(error, failure.reference)
    return signInPage(failure, getLinks(world, basePath, next))
  }
}

async function finishSignIn(
  { provider, basePath, warn }: SignInDeps,
  world: HttpWorld,
  caller: Caller,
): Promise<Reply> {
  const { oidc, secret } = requireOidcEnabled(world)
  const cookies = world.callers.getCookieOptions(caller)
  const done = expiredPendingCookie(cookies)
  const pending = findPendingSignIn(caller, cookies)
  if (pending === undefined) {
    const failure = { status: 400, text: STRANGER, reference: createReference(world) }
    world.security?.record(toRefusal(world, caller, { ...failure, error: undefined, via: CALLBACK }))
    return signInPage(failure, getLinks(world, basePath, '/'), done)
  }
  try {
    const arrival = await provider.finish(oidc, secret, { query: getQuery(caller.url), pending })
    const address = world.callers.getAddress(caller)
    const author: SystemActor = { ...SYSTEM, name: 'single sign-on', address, via: CALLBACK }
    const requireNewAllowed = () => {
      if (world.settings.isInMaintenance()) throw inMaintenance()
    }
    const arriving = { person: arrival.person, settings: oidc, requireNewAllowed }
    const arrived = await execute(world, author, resolveAccount, arriving)
    await recordLoginTest(world, oidc, arrived)
    const before = findCookie(caller.headers.cookie, cookies)
    const { user, sessionId } = await world.sessions.enter(arrived, arrival.idToken, {
      before,
      network: world.callers.getNetwork(caller),
    })
    noteLogin(world, caller, user)
    const session = sessionCookie(sessionId, world.sessions.idleSeconds, cookies)
    const location = `${basePath}${pending.next}`
    return new Reply(302, undefined, { location, 'set-cookie': [session, done] })
  } catch (error) {
    const [status, text] = describeFailure(error)
    const failure = { status, text, reference: createReference(world) }
    noteRefusal(world, caller, { ...failure, error, via: CALLBACK })
    if (!(error instanceof NoAccount)) warn(error, failure.reference)
    return signInPage(failure, getLinks(world, basePath, pending.next), done)
  }
}

const createReference = ({ random }: Pick<HttpWorld, 'random'>): string =>
  Buffer.from(random(REFERENCE_BYTES)).toString('hex')

const getLinks = ({ signIn }: HttpWorld, basePath: string, next: string): SignInLinks => ({
  basePath,
  next,
  hasPassword: !signIn.isPasswordOff(),
})

/**
 * Creates a function that the logout calls. The function returns the URL that also ends the session at the provider;
 * undefined if that session does not end.
 */
export function createSignOut(world: Omit<World, 'logger'>) {
  const to = publicUrl(world.options)
  const provider = createProvider(world, () => {})
  return async ({ signIn }: HttpWorld, idToken: string | undefined): Promise<string | undefined> => {
    const settings = signIn.oidc()
    if (!settings.enabled || !settings.enableSingleSignOut || idToken === undefined) return undefined
    // if the provider is unavailable, the logout still ends the session of this server
    const url = await provider.end(settings, signIn.secret(), { idToken, to: `${to}/` }).catch(() => undefined)
    return url?.href
  }
}

const AWAY = 'The single sign-on provider cannot be reached. Try again in a minute.'
const STRANGER = 'This login was started in another browser, or more than ten minutes ago.'
const REFUSED = 'The single sign-on provider did not confirm this login, or the link was already used.'

/** Returns the HTTP status and the message for a failed sign-in. Rethrows errors that users must not see. */
function describeFailure(error: unknown): [number, string] {
  if (error instanceof NoAccount) return [403, error.message]
  if (error instanceof SignInRejected) return [403, REFUSED]
  if (error instanceof ProviderUnreachable) return [503, AWAY]
  if (error instanceof Problem) return [error.status, error.message]
  throw error
}

/** Returns the error message, with the code of the error's cause. Leaves out URLs and text from the provider. */
function describeReason(error: unknown): string {
  if (!(error instanceof Error)) return 'it failed'
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name
  return `${error.message} (${code})`
}

function requireOidcEnabled({ signIn }: HttpWorld) {
  const oidc = signIn.oidc()
  if (!oidc.enabled) throw new Problem('NotFoundError', 'Single sign-on is not set up.')
  return { oidc, secret: signIn.secret() }
}

function noteLogin(world: HttpWorld, caller: Caller, user: UserRow): void {
  const address = world.callers.getAddress(caller)
  world.logins.record({ username: getUserName(user), authType: 'oidc', ip: address })
  const who = { actor: getUserName(user), actorId: user.id, address, via: CALLBACK }
  world.security?.record({ event: 'login', result: 'success', status: 302, ...who })
}

interface Refusal {
  readonly status: number
  readonly text: string
  readonly reference: string
  readonly error: unknown
  readonly via: typeof CALLBACK | typeof START
}

function noteRefusal(world: HttpWorld, caller: Caller, refusal: Refusal): void {
  const address = world.callers.getAddress(caller)
  world.logins.record({ username: '', authType: 'oidc', ip: address, failure: refusal.text })
  world.security?.record(toRefusal(world, caller, refusal))
}

function toRefusal(world: HttpWorld, caller: Caller, { status, reference, error, via }: Refusal): SecurityEntry {
  const who = { actor: null, actorId: null, address: world.callers.getAddress(caller), via }
  const reason = error instanceof Error ? error.name : 'failed'
  return { event: 'login-failed', result: 'refused', status, reason, details: { reference }, ...who }
}
