import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export const CLIENT = { clientId: 'burgee', secret: 'a secret of the client that is long enough' }
/** Id of a second client, with the same secret. */
export const OTHER_CLIENT_ID = 'burgee-2'
export const HOME = 'https://flags.example'
export const CALLBACK = `${HOME}/auth/oidc/callback`

/** Somebody at the provider. */
export interface Somebody {
  readonly sub: string
  readonly [claim: string]: unknown
}

/** A real provider of OpenID Connect, at which one person at a time is logged in. */
export interface TestProvider {
  readonly issuer: string
  /** Who logs in from now on. */
  put(who: Somebody): void
  /** Whether the user-info endpoint answers 500 from now on. */
  breakUserInfo(isBroken: boolean): void
  /** Follows a browser from the address that it was sent to until it is sent back; that address. */
  visit(url: string): Promise<string>
  close(): Promise<void>
}

/**
 * Starts one for a server at `home`; `inToken` puts all claims into the ID token, else the address is asked for at the
 * user-info endpoint.
 */
export async function startProvider(inToken = true, home = HOME): Promise<TestProvider> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let who: Somebody = { sub: 'nobody' }
  const provider = new Provider(issuer, {
    clients: [CLIENT.clientId, OTHER_CLIENT_ID].map((client_id) => ({
      client_id,
      client_secret: CLIENT.secret,
      redirect_uris: [`${home}/auth/oidc/callback`],
      post_logout_redirect_uris: [`${home}/`],
    })),
    claims: { email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'], openid: ['sub', 'realm'] },
    scopes: ['openid', 'email', 'profile', 'groups'],
    conformIdTokenClaims: !inToken,
    pkce: { required: () => true },
    findAccount: (_context, id) => ({ accountId: id, claims: () => ({ ...who, sub: id }) }),
    interactions: { url: (_context, interaction) => `/enter/${interaction.uid}` },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['test'] },
    // every login of a test is somebody's first
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
