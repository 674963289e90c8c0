import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export const CLIENT = { clientId: 'burgee', secret: 'a secret of the client that is long enough' }
/** Id of a second client, with the same secret. */
export const OTHER_CLIENT_ID = 'burgee-2'
export const HOME = 'https://flags.example'
export const CALLBACK = `${HOME}/auth/oidc/callback`
/** Second return URL that the provider accepts, for example of another application. */
export const OTHER_CALLBACK = `${HOME}/other`

/** User at the provider. */
export interface Somebody {
  readonly sub: string
  readonly [claim: string]: unknown
}

/** Real OpenID Connect provider with one user logged in at a time. */
export interface TestProvider {
  readonly issuer: string
  /** Sets the user who logs in from now on. */
  put(who: Somebody): void
  /** Makes the user-info endpoint return 500 from now on, or restores it. */
  breakUserInfo(isBroken: boolean): void
  /** Follows redirects like a browser, from the authorization URL to the return URL. Resolves with the return URL. */
  visit(url: string): Promise<string>
  close(): Promise<void>
}

/**
 * Starts a provider for a server at `home`. With `inToken`, all claims are in the ID token; otherwise the email address
 * comes from the user-info endpoint. With `isPkceRequired` false, it also accepts logins without a code challenge.
 */
export async function startProvider(inToken = true, home = HOME, isPkceRequired = true): Promise<TestProvider> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let who: Somebody = { sub: 'nobody' }
  const provider = new Provider(issuer, {
    clients: [CLIENT.clientId, OTHER_CLIENT_ID].map((client_id) => ({
      client_id,
      client_secret: CLIENT.secret,
      redirect_uris: [`${home}/auth/oidc/callback`, `${home}/other`],
      post_logout_redirect_uris: [`${home}/`],
    })),
    claims: { email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'], openid: ['sub', 'realm'] },
    scopes: ['openid', 'email', 'profile', 'groups'],
    conformIdTokenClaims: !inToken,
    pkce: { required: () => isPkceRequired },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ ...who, sub: id }) }),
    interactions: { url: (_context, interaction) => `/enter/${interaction.uid}` },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['test'] },
    // each login in these tests is the user's first login
    ttl: { Session: 3600, Interaction: 600, Grant: 600, IdToken: 600, AccessToken: 600 },
  })
  const answer = provider.callback()
  let isBroken = false
  server.on('request', (request, response) => {
    if (isBroken && request.url === '/me') return void response.writeHead(500).end()
    if (!request.url?.startsWith('/enter/')) return void answer(request, response)
    const enter = async () => {
      const { prompt, params } = await provider.interactionDetails(request, response)
      if (prompt.name === 'login') {
        return provider.interactionFinished(request, response, { login: { accountId: who.sub } })
      }
      const grant = new provider.Grant({ accountId: who.sub, clientId: String(params.client_id) })
      grant.addOIDCScope(String(params.scope))
      const consent = { grantId: await grant.save() }
      return provider.interactionFinished(request, response, { consent }, { mergeWithLastSubmission: true })
    }
    void enter()
  })
  return {
    issuer,
    put: (next) => {
      who = next
    },
    breakUserInfo: (next) => {
      isBroken = next
    },
    visit: (url) => visit(url),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const MOST_STEPS = 12

async function visit(start: string): Promise<string> {
  const jar = new Map<string, string>()
  let url = start
  for (let step = 0; step < MOST_STEPS; step += 1) {
    if (url.startsWith(HOME)) return url
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of reply.headers.getSetCookie()) {
      const [pair = ''] = line.split(';', 1)
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    const to = reply.headers.get('location')
    if (to === null) throw new Error(`The provider stops with ${reply.status}: ${await reply.text()}`)
    url = new URL(to, url).href
  }
  throw new Error('The provider leads in circles')
}
