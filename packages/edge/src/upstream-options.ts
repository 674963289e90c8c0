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

/** Returns both names of a variable of Unleash Proxy, so that its environment file works here. */
const toProxyNames = (name: string): readonly [string, string] => [`FLAG_${name}`, `UNLEASH_${name}`]

/** List of any number of `Name: value`. */
const headerLines: Parser<readonly (readonly [name: string, value: string])[]> = {
  expects: 'a comma-separated list of `Name: value` that fits into HTTP headers',
  parse: (value) =>
    list.parse(value).map((line) => {
      const colon = line.indexOf(':')
      return [headerName.parse(line.slice(0, Math.max(colon, 0))), inHeader(text).parse(line.slice(colon + 1))] as const
    }),
}

/** URL of a service with its API below `/api`; a trailing `/api` is removed. */
const serviceUrl: Parser<string> = {
  expects: apiUrl.expects,
  parse: (value) =>
    apiUrl
      .parse(value)
      .replace(/\/+$/, '')
      .replace(/\/api$/, ''),
}

/** Options of the upstream, and of the tokens to use with it. Source: wire protocol "Edge", options. */
export const UPSTREAM_OPTIONS = {
  upstreamUrl: {
    env: ['UPSTREAM_URL', ...toProxyNames('URL')],
    parse: serviceUrl,
    required: true,
    letter: 'u',
    doc: 'Upstream server, with or without /api at the end.',
  },
  tokens: {
    env: ['TOKENS', ...toProxyNames('API_TOKEN')],
    parse: inHeader(list),
    secret: true,
    letter: 't',
    isRepeatable: true,
    doc: 'Backend tokens that flags are fetched with from the start.',
  },
  pretrustedTokens: {
    env: ['PRETRUSTED_TOKENS'],
    parse: list,
    secret: true,
    isRepeatable: true,
    doc: 'Frontend tokens that the upstream is never asked about: of either form of the wire protocol, or `anything@environment`, of which SDKs send `anything`.',
  },
  clientKeys: {
    env: [...toProxyNames('PROXY_CLIENT_KEYS'), ...toProxyNames('PROXY_SECRETS')],
    parse: list,
    secret: true,
    isRepeatable: true,
    doc: 'Keys for SDKs of the client proxy: with any, /proxy is served as well, from the flags of the first of the tokens, or of the environment behind `@` in the key.',
  },
  strict: {
    env: ['STRICT'],
    parse: flag,
    defaultDoc: 'unless dynamic',
    doc: 'Refuse backend tokens that the start-up tokens do not cover.',
  },
  dynamic: {
    env: ['DYNAMIC'],
    parse: flag,
    default: false,
    doc: 'Fetch flags with backend tokens that SDKs show as well.',
  },
  featuresRefreshIntervalSeconds: {
    env: ['FEATURES_REFRESH_INTERVAL_SECONDS'],
    parse: integer(1, MAX_INTERVAL_SECONDS),
    default: 15,
    letter: 'f',
    unit: 'seconds',
    doc: 'Time between fetches of flags where the upstream has no stream.',
  },
  fetchInterval: {
    env: toProxyNames('FETCH_INTERVAL'),
    parse: integer(1, MAX_INTERVAL_MS),
    unit: 'ms',
    doc: 'The same as the client proxy names it; wins.',
  },
  metricsIntervalSeconds: {
    env: ['METRICS_INTERVAL_SECONDS'],
    parse: integer(1, MAX_INTERVAL_SECONDS),
    default: 60,
    letter: 'm',
    unit: 'seconds',
    doc: 'Time between reports of usage.',
  },
  metricsInterval: {
    env: toProxyNames('METRICS_INTERVAL'),
    parse: integer(1, MAX_INTERVAL_MS),
    unit: 'ms',
    doc: 'The same as the client proxy names it; wins.',
  },
  tokenRevalidationIntervalSeconds: {
    env: ['TOKEN_REVALIDATION_INTERVAL_SECONDS'],
    parse: integer(1, MAX_INTERVAL_SECONDS),
    default: 3600,
    unit: 'seconds',
    doc: 'How often the upstream is asked whether tokens are still good.',
  },
  streaming: {
    env: ['STREAMING', ...toProxyNames('STREAMING')],
    parse: streamingMode(),
    default: 'auto',
    doc: 'Hear of changes at once by a stream of the upstream, where it has one: auto (or true), or off (or false).',
  },
  appName: {
    env: ['APP_NAME', ...toProxyNames('APP_NAME')],
    parse: inHeader(text),
    default: 'burgee-edge',
    letter: 'a',
    doc: 'Name that the upstream is told.',
  },
  instanceId: {
    env: ['INSTANCE_ID', ...toProxyNames('INSTANCE_ID')],
    parse: inHeader(text),
    defaultDoc: 'generated',
    doc: 'Id of this node that the upstream is told.',
  },
  customClientHeaders: {
    env: ['CUSTOM_CLIENT_HEADERS'],
    parse: headerLines,
    default: [],
    secret: true,
    letter: 'H',
    isRepeatable: true,
    doc: '`Name: value`, added to every request to the upstream.',
  },
  upstreamAuthHeader: {
    env: ['UPSTREAM_AUTH_HEADER'],
    parse: headerName,
    defaultDoc: 'authorization',
    doc: 'Header in which the upstream is shown a token.',
  },
  upstreamRequestTimeout: {
    env: ['UPSTREAM_REQUEST_TIMEOUT'],
    parse: integer(1, MAX_SECONDS),
    default: 5,
    unit: 'seconds',
    doc: 'How long a request to the upstream may take.',
  },
  upstreamSocketTimeout: {
    env: ['UPSTREAM_SOCKET_TIMEOUT'],
    parse: integer(1, MAX_SECONDS),
    default: 5,
    unit: 'seconds',
    doc: 'How long connecting to the upstream may take.',
  },
  clientKeepaliveTimeout: {
    env: ['CLIENT_KEEPALIVE_TIMEOUT'],
    parse: integer(1, MAX_SECONDS),
    default: 15,
    unit: 'seconds',
    doc: 'How long an idle connection with the upstream is kept.',
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
    doc: 'The opposite, as the client proxy names it: false accepts any certificate.',
  },
  upstreamCertificateFile: {
    env: ['UPSTREAM_CERTIFICATE_FILE'],
    parse: text,
    doc: 'File of further authorities whose certificates are good for the upstream, PEM.',
  },
  pkcs8ClientCertificateFile: {
    env: ['PKCS8_CLIENT_CERTIFICATE_FILE'],
    parse: text,
    doc: 'File of a certificate to show the upstream, PEM; with pkcs8ClientKeyFile.',
  },
  pkcs8ClientKeyFile: { env: ['PKCS8_CLIENT_KEY_FILE'], parse: text, doc: 'File of its private key, PKCS #8 as PEM.' },
  pkcs12IdentityFile: {
    env: ['PKCS12_IDENTITY_FILE'],
    parse: text,
    doc: 'File of certificate and key to show the upstream, PKCS #12; with pkcs12Passphrase.',
  },
  pkcs12Passphrase: { env: ['PKCS12_PASSPHRASE'], parse: text, secret: true, doc: 'What opens that file.' },
  pemCertFile: { env: ['PEM_CERT_FILE'], parse: text, doc: 'File of certificate and key to show the upstream, PEM.' },
  tokenGuessLimitPerMinute: {
    env: ['TOKEN_GUESS_LIMIT_PER_MINUTE'],
    parse: integer(1),
    default: 100,
    doc: 'Wrong tokens per minute and network; more are answered 429, and good ones as always, but few at a time. Known tokens are always answered.',
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
