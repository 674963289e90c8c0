import type { OptionTable } from '@burgee/kit/options/options'
import {
  apiUrl,
  flag,
  headerName,
  inHeader,
  integer,
  list,
  oneOf,
  type Parser,
  text,
} from '@burgee/kit/options/parsers'
import { PROXY_SERVER_OPTIONS } from '@burgee/serving/upstream/proxy-server-options'

const MAX_INTERVAL_MS = 2_147_483_647
const MAX_INTERVAL_SECONDS = 2_147_483
const MAX_SECONDS = 3600

/**
 * Returns both names of an option's environment variable in the Unleash proxy, so that the proxy's environment files
 * work with this edge.
 */
const toProxyNames = (name: string): readonly [string, string] => [`FLAG_${name}`, `UNLEASH_${name}`]

/** Parses a list of `Name: value` lines, of any length. */
const headerLines: Parser<readonly (readonly [name: string, value: string])[]> = {
  expects: 'a comma-separated list of `Name: value` that fits into HTTP headers',
  parse: (value) =>
    list.parse(value).map((line) => {
      const colon = line.indexOf(':')
      return [headerName.parse(line.slice(0, Math.max(colon, 0))), inHeader(text).parse(line.slice(colon + 1))] as const
    }),
}

/** Parses the URL of a service whose API is below `/api`. Removes a trailing `/api`. */
const serviceUrl: Parser<string> = {
  expects: apiUrl.expects,
  parse: (value) =>
    apiUrl
      .parse(value)
      .replace(/\/+$/, '')
      .replace(/\/api$/, ''),
}

/** Options for the upstream, and for the tokens to use with it. Source: wire protocol "Edge", options. */
export const UPSTREAM_OPTIONS = {
  upstreamUrl: {
    env: ['UPSTREAM_URL', ...toProxyNames('URL')],
    parse: serviceUrl,
    required: true,
    letter: 'u',
    doc: 'URL of the upstream server, with or without /api at the end.',
  },
  requireEncryption: {
    env: ['REQUIRE_ENCRYPTION'],
    parse: flag,
    default: false,
    doc: 'Refuse to start if the address of the upstream or of Redis is neither encrypted nor on this machine.',
  },
  tokens: {
    env: ['TOKENS', ...toProxyNames('API_TOKEN')],
    parse: inHeader(list),
    secret: true,
    letter: 't',
    isRepeatable: true,
    doc: 'Backend tokens to fetch flags with from the start.',
  },
  pretrustedTokens: {
    env: ['PRETRUSTED_TOKENS'],
    parse: list,
    secret: true,
    isRepeatable: true,
    doc: 'Frontend tokens that the edge accepts without validation by the upstream: wire-protocol tokens, or `anything@environment`, where SDKs send only `anything`.',
  },
  clientKeys: {
    env: [...toProxyNames('PROXY_CLIENT_KEYS'), ...toProxyNames('PROXY_SECRETS')],
    parse: list,
    secret: true,
    isRepeatable: true,
    doc: 'Client keys for SDKs of the client proxy. If any is set, the edge also serves /proxy, with the flags of the first token in `tokens`, or of the environment after `@` in the key.',
  },
  strict: {
    env: ['STRICT'],
    parse: flag,
    defaultDoc: 'unless dynamic',
    doc: 'Reject backend tokens whose projects and environment no start-up token covers.',
  },
  dynamic: {
    env: ['DYNAMIC'],
    parse: flag,
    default: false,
    doc: 'Also fetch flags with backend tokens that SDKs send.',
  },
  featuresRefreshIntervalSeconds: {
    env: ['FEATURES_REFRESH_INTERVAL_SECONDS'],
    parse: integer(1, MAX_INTERVAL_SECONDS),
    default: 15,
    letter: 'f',
    unit: 'seconds',
    doc: 'Polling interval for flags if the upstream has no stream.',
  },
  fetchInterval: {
    env: toProxyNames('FETCH_INTERVAL'),
    parse: integer(1, MAX_INTERVAL_MS),
    unit: 'ms',
    doc: 'Same as featuresRefreshIntervalSeconds, under its name in the client proxy; takes precedence.',
  },
  metricsIntervalSeconds: {
    env: ['METRICS_INTERVAL_SECONDS'],
    parse: integer(1, MAX_INTERVAL_SECONDS),
    default: 60,
    letter: 'm',
    unit: 'seconds',
    doc: 'Interval between usage reports.',
  },
  metricsInterval: {
    env: toProxyNames('METRICS_INTERVAL'),
    parse: integer(1, MAX_INTERVAL_MS),
    unit: 'ms',
    doc: 'Same as metricsIntervalSeconds, under its name in the client proxy; takes precedence.',
  },
  tokenRevalidationIntervalSeconds: {
    env: ['TOKEN_REVALIDATION_INTERVAL_SECONDS'],
    parse: integer(1, MAX_INTERVAL_SECONDS),
    default: 3600,
    unit: 'seconds',
    doc: 'Interval at which the edge validates known tokens again with the upstream.',
  },
  streaming: {
    env: ['STREAMING', ...toProxyNames('STREAMING')],
    parse: streamingMode(),
    default: 'auto',
    doc: 'Receive changes at once over a stream of the upstream, if it has one: auto (or true), or off (or false).',
  },
  appName: {
    env: ['APP_NAME', ...toProxyNames('APP_NAME')],
    parse: inHeader(text),
    default: 'burgee-edge',
    letter: 'a',
    doc: 'Application name sent to the upstream.',
  },
  instanceId: {
    env: ['INSTANCE_ID', ...toProxyNames('INSTANCE_ID')],
    parse: inHeader(text),
    defaultDoc: 'generated',
    doc: 'Instance id of this node sent to the upstream.',
  },
  customClientHeaders: {
    env: ['CUSTOM_CLIENT_HEADERS'],
    parse: headerLines,
    default: [],
    secret: true,
    letter: 'H',
    isRepeatable: true,
    doc: 'Headers (`Name: value`) that are added to every request to the upstream.',
  },
  upstreamAuthHeader: {
    env: ['UPSTREAM_AUTH_HEADER'],
    parse: headerName,
    defaultDoc: 'authorization',
    doc: 'Header in which tokens are sent to the upstream.',
  },
  upstreamRequestTimeout: {
    env: ['UPSTREAM_REQUEST_TIMEOUT'],
    parse: integer(1, MAX_SECONDS),
    default: 5,
    unit: 'seconds',
    doc: 'Timeout of a request to the upstream.',
  },
  upstreamSocketTimeout: {
    env: ['UPSTREAM_SOCKET_TIMEOUT'],
    parse: integer(1, MAX_SECONDS),
    default: 5,
    unit: 'seconds',
    doc: 'Timeout for connecting to the upstream.',
  },
  clientKeepaliveTimeout: {
    env: ['CLIENT_KEEPALIVE_TIMEOUT'],
    parse: integer(1, MAX_SECONDS),
    default: 15,
    unit: 'seconds',
    doc: 'Idle timeout of connections to the upstream.',
  },
  skipSslVerification: {
    env: ['SKIP_SSL_VERIFICATION'],
    parse: flag,
    default: false,
    letter: 's',
    doc: 'Accept any certificate of the upstream.',
  },
  'httpOptions.rejectUnauthorized': {
    env: ['HTTP_OPTIONS_REJECT_UNAUTHORIZED'],
    parse: flag,
    default: true,
    doc: 'Opposite of skipSslVerification, under its name in the client proxy: false accepts any certificate.',
  },
  upstreamCertificateFile: {
    env: ['UPSTREAM_CERTIFICATE_FILE'],
    parse: text,
    doc: 'PEM file of additional trusted CA certificates for the upstream.',
  },
  pkcs8ClientCertificateFile: {
    env: ['PKCS8_CLIENT_CERTIFICATE_FILE'],
    parse: text,
    doc: 'PEM file of the client certificate for the upstream; with pkcs8ClientKeyFile.',
  },
  pkcs8ClientKeyFile: {
    env: ['PKCS8_CLIENT_KEY_FILE'],
    parse: text,
    doc: 'PEM file (PKCS #8) of the private key of the client certificate.',
  },
  pkcs12IdentityFile: {
    env: ['PKCS12_IDENTITY_FILE'],
    parse: text,
    doc: 'PKCS #12 file of client certificate and key for the upstream; with pkcs12Passphrase.',
  },
  pkcs12Passphrase: { env: ['PKCS12_PASSPHRASE'], parse: text, secret: true, doc: 'Passphrase of pkcs12IdentityFile.' },
  pemCertFile: { env: ['PEM_CERT_FILE'], parse: text, doc: 'PEM file of client certificate and key for the upstream.' },
  tokenGuessLimitPerMinute: {
    env: ['TOKEN_GUESS_LIMIT_PER_MINUTE'],
    parse: integer(1),
    default: 100,
    doc: 'Maximum invalid tokens per minute and network; further ones get 429. Beyond the limit, the edge validates unknown tokens only a few at a time, and still accepts known tokens.',
  },
  ...PROXY_SERVER_OPTIONS,
} as const satisfies OptionTable

function streamingMode(): Parser<'auto' | 'off'> {
  const words = oneOf(['auto', 'off'])
  return {
    expects: `${words.expects}, or true or false`,
    isSwitch: true,
    parse: (value) => {
      if (value === 'auto' || value === 'off') return value
      return typeof value === 'string' && value.trim().toLowerCase() === 'auto'
        ? 'auto'
        : flag.parse(value)
          ? 'auto'
          : 'off'
    },
  }
}
