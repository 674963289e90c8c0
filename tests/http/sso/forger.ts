import { createHmac, generateKeyPairSync, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { CLIENT } from './provider.ts'

/** OpenID provider that signs arbitrary tokens. */
export interface Forger {
  readonly issuer: string
  /** Sets the properties of its next tokens. */
  put(forge: Forge): void
  /** Requests for documents and tokens that it has received so far. */
  readonly asked: string[]
  /** Authorization codes that its token endpoint has received. */
  readonly codes: string[]
  /** ID tokens that it has issued so far. */
  readonly issued: string[]
  close(): Promise<void>
}

/** Claims that extend or replace the claims of a valid token, and how the token is signed. */
export interface Forge {
  readonly claims?: Readonly<Record<string, unknown>>
  readonly nonce?: string
  readonly alg?: 'RS256' | 'none' | 'HS256' | 'HS256 with the public key' | 'other key' | 'embedded key'
  /** ID token to return instead of a new one. */
  readonly token?: string
  readonly document?: object
  /** Keys to publish instead of its own keys. */
  readonly keys?: readonly object[]
  /** Status and error with which the token endpoint rejects codes that it has not issued. */
  readonly refusal?: { readonly status: number; readonly error?: string }
  /** Number of extra bytes in the replies of every endpoint. */
  readonly padding?: number
  readonly redirects?: boolean
  /** True if all replies are web pages. */
  readonly isWebPage?: boolean
}

/** Authorization code that logins at the provider return. */
export const FORGED_CODE = 'c'

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Starts a provider. The provider's tokens are valid until `put` changes them. */
export async function startForger(): Promise<Forger> {
  const [own, other] = [0, 1].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 })) as [
    ReturnType<typeof pair>,
    ReturnType<typeof pair>,
  ]
  const asked: string[] = []
  const codes: string[] = []
  const issued: string[] = []
  let forge: Forge = {}
  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    asked.push(path)
    const json = (value: object, status = 200) => {
      response.writeHead(forge.redirects ? 302 : status, {
        'content-type': forge.isWebPage ? 'text/html' : 'application/json',
        location: `${issuer}/else`,
      })
      const body = forge.isWebPage ? '<!doctype html>' : JSON.stringify(value)
      response.end(`${body}${' '.repeat(forge.padding ?? 0)}`)
    }
    if (path.startsWith('/.well-known')) return json({ ...documentOf(issuer), ...forge.document })
    const keys = forge.keys ?? [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'k', use: 'sig' }]
    if (path === '/keys') return json({ keys })
    const { refusal = { status: 400, error: 'invalid_grant' } } = forge
    const code = new URLSearchParams(await text(request)).get('code')
    if (code !== null) codes.push(code)
    if (code !== FORGED_CODE) return json({ error: refusal.error }, refusal.status)
    const token = forge.token ?? tokenOf(forge, issuer, own, other)
    issued.push(token)
    json({ access_token: 'a', token_type: 'Bearer', expires_in: 60, id_token: token })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    asked,
    codes,
    issued,
    put: (next) => {
      forge = next
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const pair = () => generateKeyPairSync('rsa', { modulusLength: 2048 })

function documentOf(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  }
}

function tokenOf(
  { claims, nonce, alg = 'RS256' }: Forge,
  issuer: string,
  own: ReturnType<typeof pair>,
  other: ReturnType<typeof pair>,
): string {
  const now = Math.floor(Date.now() / 1000)
  const good = { iss: issuer, sub: 'f', aud: CLIENT.clientId, iat: now, exp: now + 60, nonce }
  const body = { ...good, email: 'forged@example.com', email_verified: true, ...claims }
  const key = alg === 'other key' || alg === 'embedded key' ? other : own
  const header = {
    alg: alg.startsWith('HS256') ? 'HS256' : alg === 'none' ? 'none' : 'RS256',
    kid: 'k',
    jwk: alg === 'embedded key' ? key.publicKey.export({ format: 'jwk' }) : undefined,
  }
  const text = `${encode(header)}.${encode(body)}`
  if (alg === 'none') return `${text}.`
  if (alg.startsWith('HS256')) {
    const secret = alg === 'HS256' ? CLIENT.secret : own.publicKey.export({ format: 'pem', type: 'spki' })
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
  }
  return `${text}.${sign('sha256', Buffer.from(text), key.privateKey).toString('base64url')}`
}
