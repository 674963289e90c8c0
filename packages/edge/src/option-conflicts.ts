import { isIPv6 } from 'node:net'
import { isEncryptedAddress } from '@burgee/kit/options/encrypted-addresses'
import type { Parsed } from '@burgee/kit/options/options'
import { splitKey } from './http/proxy-keys.ts'
import type { SERVING_OPTIONS } from './serving-options.ts'
import type { STORAGE_OPTIONS } from './storage-options.ts'
import { readPretrusted } from './tokens/token-syntax.ts'
import type { UPSTREAM_OPTIONS } from './upstream-options.ts'

type EdgeOptions = Parsed<typeof UPSTREAM_OPTIONS & typeof STORAGE_OPTIONS & typeof SERVING_OPTIONS>

/**
 * Two options that exclude each other, or an option that requires another. The error message refers to options by the
 * names of the variables that users set.
 */
interface Conflict {
  readonly holds: (options: EdgeOptions) => boolean
  readonly text: string
}

const isRedis = ({ redisUrl, redisHost }: EdgeOptions) => redisUrl !== undefined || redisHost !== undefined
/** Returns the addresses of Redis as URLs. */
function listRedisUrls({ redisUrl, redisHost, redisScheme, redisSecure }: EdgeOptions): readonly string[] {
  if (redisUrl !== undefined) return redisUrl
  if (redisHost === undefined) return []
  const isSecure = redisSecure || redisScheme === 'tls' || redisScheme === 'rediss'
  const host = isIPv6(redisHost) ? `[${redisHost}]` : redisHost
  return [`${isSecure ? 'rediss' : 'redis'}://${host}`]
}

const hasStorage = (options: EdgeOptions) => options.backupFolder !== undefined || isRedis(options)

/** Conflicts that prevent a start. Source: wire protocol "Edge", options. */
const CONFLICTS: readonly Conflict[] = [
  {
    holds: ({ strict, dynamic }) => strict === true && dynamic,
    text: 'STRICT and DYNAMIC exclude each other: set only one of them',
  },
  {
    holds: (options) => isRedis(options) && options.backupFolder !== undefined,
    text: 'REDIS_URL and BACKUP_FOLDER exclude each other: tokens and flags are stored in one place',
  },
  {
    holds: ({ redisUrl, redisHost }) => redisUrl !== undefined && redisHost !== undefined,
    text: 'REDIS_URL and REDIS_HOST exclude each other: both set the address of Redis',
  },
  {
    holds: ({ tokenHeader, edgeAuthHeader }) => tokenHeader !== undefined && edgeAuthHeader !== undefined,
    text: 'TOKEN_HEADER and EDGE_AUTH_HEADER exclude each other: TOKEN_HEADER applies to both directions',
  },
  {
    holds: ({ tokenHeader, upstreamAuthHeader }) => tokenHeader !== undefined && upstreamAuthHeader !== undefined,
    text: 'TOKEN_HEADER and UPSTREAM_AUTH_HEADER exclude each other: TOKEN_HEADER applies to both directions',
  },
  {
    holds: (options) => options.tokens === undefined && !options.dynamic && !hasStorage(options),
    text: 'No tokens: set backend tokens in TOKENS, or fetch flags with the tokens of SDKs by DYNAMIC=true',
  },
  {
    holds: ({ tlsEnable, tlsServerKey, tlsServerCert }) =>
      tlsEnable && (tlsServerKey === undefined || tlsServerCert === undefined),
    text: 'TLS_ENABLE needs TLS_SERVER_KEY and TLS_SERVER_CERT',
  },
  {
    holds: ({ redirectHttpToHttps, tlsEnable }) => redirectHttpToHttps && !tlsEnable,
    text: 'REDIRECT_HTTP_TO_HTTPS needs TLS_ENABLE',
  },
  {
    holds: ({ requireEncryption, upstreamUrl }) => requireEncryption && !isEncryptedAddress(upstreamUrl),
    text: 'REQUIRE_ENCRYPTION needs an https address in UPSTREAM_URL',
  },
  {
    holds: (options) => options.requireEncryption && !listRedisUrls(options).every(isEncryptedAddress),
    text: 'REQUIRE_ENCRYPTION needs a rediss address in REDIS_URL, or REDIS_SECURE with REDIS_HOST',
  },
  {
    holds: ({ pkcs8ClientCertificateFile, pkcs8ClientKeyFile }) =>
      (pkcs8ClientCertificateFile === undefined) !== (pkcs8ClientKeyFile === undefined),
    text: 'PKCS8_CLIENT_CERTIFICATE_FILE and PKCS8_CLIENT_KEY_FILE must be set together',
  },
  {
    holds: ({ pkcs12Passphrase, pkcs12IdentityFile }) =>
      pkcs12Passphrase !== undefined && pkcs12IdentityFile === undefined,
    text: 'PKCS12_PASSPHRASE needs PKCS12_IDENTITY_FILE',
  },
  {
    holds: ({ clientKeys = [], tokens }) => tokens === undefined && clientKeys.some((key) => !key.includes('@')),
    text: 'FLAG_PROXY_CLIENT_KEYS needs TOKENS, whose flags /proxy serves; alternatively, write key@environment',
  },
  {
    holds: ({ pretrustedTokens = [] }) => hasTwoScopes(pretrustedTokens.map(parsePretrustedScope)),
    text: 'PRETRUSTED_TOKENS contains one token for two environments, so its flags would be ambiguous',
  },
  {
    holds: ({ clientKeys = [] }) => hasTwoScopes(clientKeys.map(splitKey)),
    text: 'FLAG_PROXY_CLIENT_KEYS contains one key for two environments, so its flags would be ambiguous',
  },
]

/** A token or key as SDKs send it, with its scope. */
type Scoped = readonly [shown: string, scope: string | undefined]

/** Returns true if the same token or key is given twice with different scopes. */
function hasTwoScopes(all: readonly Scoped[]): boolean {
  return new Set(all.map(([shown]) => shown)).size < new Set(all.map((scoped) => JSON.stringify(scoped))).size
}

/**
 * Splits a pretrusted token into the part that SDKs send and its scope. Returns a malformed token unchanged, because
 * other checks reject it.
 */
function parsePretrustedScope(written: string): Scoped {
  const { text = written, environment } = readPretrusted(written) ?? {}
  return [text, environment]
}

/** Returns one line per conflict that prevents a start. */
export function listConflicts(options: EdgeOptions): string[] {
  return CONFLICTS.filter(({ holds }) => holds(options)).map(({ text }) => text)
}
