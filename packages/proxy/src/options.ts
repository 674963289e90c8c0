import { isLogger, LOG_LEVELS } from '@burgee/kit/log/logger'
import { isEncryptedAddress } from '@burgee/kit/options/encrypted-addresses'
import {
  OptionsError,
  type OptionsInput,
  type OptionTable,
  type Parsed,
  parseOptions,
} from '@burgee/kit/options/options'
import {
  apiUrl,
  basePath,
  fetchUrl,
  flag,
  headerName,
  inCode,
  inHeader,
  integer,
  list,
  listenAddress,
  oneOf,
  text,
} from '@burgee/kit/options/parsers'
import { omitOptions } from '@burgee/kit/options/select-options'
import { trustList } from '@burgee/kit/options/trusted-proxies'
import { OTEL_OPTIONS } from '@burgee/kit/otel/otel-options'
import { CORS_OPTIONS } from '@burgee/serving/cors-options'
import { HTTP_OPTIONS } from '@burgee/serving/http-options'
import { IMPACT_OPTIONS } from '@burgee/serving/impact/impact-options'
import { PROXY_PROFILE_OPTION } from '@burgee/serving/profile-options'
import type { StorageProvider } from '@burgee/serving/upstream/backup-file'
import { PROXY_SERVER_OPTIONS } from '@burgee/serving/upstream/proxy-server-options'
import { pluginList } from './plugins/plugins.ts'
import { type TagsInput, tagList } from './upstream/tag-list.ts'

const MAX_PORT = 65_535
const MAX_WORKERS = 256
const MAX_INTERVAL_MS = 2_147_483_647

/**
 * Returns both names of an environment variable: Burgee's name and the name in the Unleash proxy. Existing setups of
 * the Unleash proxy therefore work unchanged.
 */
const toVariableNames = (name: string): readonly [string, string] => [`FLAG_${name}`, `UNLEASH_${name}`]

/** Options of the client proxy. Source: spec "Proxy configuration options". */
export const PROXY_OPTIONS = {
  flagUrl: { env: toVariableNames('URL'), parse: apiUrl, required: true, doc: 'API URL of the upstream service.' },
  requireEncryption: {
    env: ['REQUIRE_ENCRYPTION'],
    parse: flag,
    default: false,
    doc: 'Refuse to start if the address of the upstream is neither encrypted nor on this machine.',
  },
  flagApiToken: {
    env: toVariableNames('API_TOKEN'),
    parse: inHeader(text),
    required: true,
    secret: true,
    doc: 'Client API token for the upstream API.',
  },
  clientKeys: {
    env: [...toVariableNames('PROXY_CLIENT_KEYS'), ...toVariableNames('PROXY_SECRETS')],
    parse: list,
    required: true,
    secret: true,
    doc: 'Client keys that the proxy accepts.',
  },
  proxySecrets: {
    parse: list,
    secret: true,
    codeOnly: true,
    doc: 'Deprecated alias of clientKeys; in the environment FLAG_PROXY_SECRETS.',
  },
  port: { env: ['PORT', 'PROXY_PORT'], parse: integer(0, MAX_PORT), default: 3000, doc: 'Listening port.' },
  host: { env: ['PROXY_HOST'], parse: listenAddress, defaultDoc: 'all addresses', doc: 'Address to listen on.' },
  workers: {
    env: ['FLAG_WORKERS'],
    parse: integer(1, MAX_WORKERS),
    default: 1,
    doc: 'Number of `burgee proxy` processes that serve requests; with more than one, an additional process connects to the upstream.',
  },
  proxyBasePath: {
    env: ['PROXY_BASE_PATH'],
    parse: basePath,
    default: '',
    doc: "Base path; '/proxy' is appended to it.",
  },
  flagAppName: {
    env: toVariableNames('APP_NAME'),
    parse: inHeader(text),
    default: 'flag-proxy',
    doc: 'Application name to register with upstream.',
  },
  flagInstanceId: {
    env: toVariableNames('INSTANCE_ID'),
    parse: inHeader(text),
    defaultDoc: 'generated',
    doc: 'Instance id to register with upstream.',
  },
  refreshInterval: {
    env: toVariableNames('FETCH_INTERVAL'),
    parse: integer(1, MAX_INTERVAL_MS),
    default: 5000,
    unit: 'ms',
    doc: 'Time between upstream fetches.',
  },
  streaming: {
    env: toVariableNames('STREAMING'),
    parse: oneOf(['auto', 'off']),
    default: 'auto',
    doc: 'Receive changes at once over a stream of the upstream, if it has one: auto, or off. With tags the upstream is always polled.',
  },
  metricsInterval: {
    env: toVariableNames('METRICS_INTERVAL'),
    parse: integer(0, MAX_INTERVAL_MS),
    default: 30_000,
    unit: 'ms',
    doc: 'Interval between metrics posts; 0 sends no metrics and does not register.',
  },
  metricsJitter: {
    env: toVariableNames('METRICS_JITTER'),
    parse: integer(0, MAX_INTERVAL_MS),
    default: 0,
    unit: 'ms',
    doc: 'Maximum jitter of the metrics interval.',
  },
  environment: {
    env: toVariableNames('ENVIRONMENT'),
    parse: text,
    doc: 'Environment placed in the context; SDKs cannot override it when set.',
  },
  projectName: {
    env: toVariableNames('PROJECT_NAME'),
    parse: text,
    doc: 'Project id; if set, the proxy only fetches flags of that project.',
  },
  customStrategies: {
    env: toVariableNames('CUSTOM_STRATEGIES_FILE'),
    parse: pluginList,
    default: [],
    doc: 'Files that export custom activation strategies.',
  },
  trustedAddressWins: {
    env: ['TRUSTED_ADDRESS_WINS'],
    parse: flag,
    default: false,
    doc: 'With trustProxy: the address of the caller takes precedence over a remoteAddress in the request.',
  },
  namePrefix: {
    env: toVariableNames('NAME_PREFIX'),
    parse: text,
    doc: 'Fetch only flags whose name starts with this prefix.',
  },
  tags: {
    env: toVariableNames('TAGS'),
    parse: tagList,
    doc: 'Fetch only flags with these tags: tagName:tagValue,tagName2:tagValue2.',
  },
  logger: {
    codeOnly: true,
    parse: inCode('a logger with debug, info, warn, error and fatal', isLogger),
    doc: 'Custom logger.',
  },
  useJsonLogger: {
    env: ['JSON_LOGGER'],
    parse: flag,
    default: false,
    doc: 'Log as one-line JSON; no effect with a custom logger.',
  },
  logLevel: { env: ['LOG_LEVEL'], parse: oneOf(LOG_LEVELS), default: 'warn', doc: 'Minimum log level.' },
  trustProxy: {
    env: ['TRUST_PROXY'],
    parse: trustList,
    default: false,
    doc: 'Trusted proxies, whose X-Forwarded-For is used: true (all), false, or a list of IP addresses and CIDR ranges.',
  },
  clientKeysHeaderName: {
    env: ['CLIENT_KEY_HEADER_NAME'],
    parse: headerName,
    default: 'authorization',
    doc: 'Header that carries the client key.',
  },
  storageProvider: {
    codeOnly: true,
    parse: inCode('an object with the functions get(key) and set(key, data)', isStorageProvider),
    doc: 'Custom storage provider for the last good configuration, which is read at the next start.',
  },
  backupFolder: {
    env: ['FLAG_BACKUP_FOLDER'],
    parse: text,
    defaultDoc: 'a folder of the current user in the temporary directory',
    doc: 'Folder that stores the last good configuration. After a start while the upstream is down, the proxy serves it and reports it as stale.',
  },
  backup: {
    env: ['FLAG_BACKUP'],
    parse: flag,
    default: true,
    doc: 'Store the last good configuration for starts while the upstream is down.',
  },
  ...IMPACT_OPTIONS,
  ...PROXY_PROFILE_OPTION,
  ...HTTP_OPTIONS,
  ...OTEL_OPTIONS,
  enableOAS: { env: ['ENABLE_OAS'], parse: flag, default: false, doc: 'Serve the OpenAPI document and its pages.' },
  enableAllEndpoint: {
    env: ['ENABLE_ALL_ENDPOINT'],
    parse: flag,
    default: false,
    doc: 'Serve /proxy/all, which also lists disabled flags.',
  },
  ...CORS_OPTIONS,
  'httpOptions.rejectUnauthorized': {
    env: ['HTTP_OPTIONS_REJECT_UNAUTHORIZED'],
    parse: flag,
    default: true,
    doc: 'Reject an upstream with an invalid certificate.',
  },
  ...PROXY_SERVER_OPTIONS,
  'expBootstrap.url': { env: ['EXP_BOOTSTRAP_URL'], parse: fetchUrl, doc: 'URL to bootstrap from. Experimental.' },
  'expBootstrap.urlHeaders.Authorization': {
    env: ['EXP_BOOTSTRAP_AUTHORIZATION'],
    parse: inHeader(text),
    secret: true,
    doc: 'Authorization header for bootstrapping. Experimental.',
  },
  'expBootstrap.filePath': { codeOnly: true, parse: text, doc: 'File to bootstrap from. Experimental.' },
  'expBootstrap.data': {
    codeOnly: true,
    parse: inCode('a list of features', Array.isArray),
    doc: 'Flags to bootstrap from. Experimental.',
  },
  'expBootstrap.segments': {
    codeOnly: true,
    parse: inCode('a list of segments', Array.isArray),
    doc: 'Segments to bootstrap from. Experimental.',
  },
  expCustomEnrichers: {
    env: ['EXP_CUSTOM_ENRICHERS_FILE'],
    parse: pluginList,
    default: [],
    doc: 'File that exports custom context enrichers. Experimental.',
  },
  'expServerSideSdkConfig.tokens': {
    env: ['EXP_SERVER_SIDE_SDK_CONFIG_TOKENS'],
    parse: list,
    secret: true,
    doc: 'Tokens with which server-side SDKs and other proxies may read the flag configuration. Experimental.',
  },
} as const satisfies OptionTable

/** The proxy's parsed options by name, with defaults. */
export type ProxyOptions = Parsed<typeof PROXY_OPTIONS>

/** Options of a proxy in the same process as its server, without the options for an upstream over HTTP. */
export const EMBEDDED_PROXY_OPTIONS = omitOptions(PROXY_OPTIONS, [
  'flagUrl',
  'requireEncryption',
  'flagApiToken',
  'flagInstanceId',
  'refreshInterval',
  'streaming',
  'namePrefix',
  'tags',
  'httpProxy',
  'httpsProxy',
  'allProxy',
  'noProxy',
  'httpOptions.rejectUnauthorized',
  'workers',
  ...(Object.keys(OTEL_OPTIONS) as (keyof typeof OTEL_OPTIONS)[]),
])

/** Parsed options that all proxies have, whether the upstream is reached over HTTP or is in the same process. */
export type EmbeddedProxyOptions = Parsed<typeof EMBEDDED_PROXY_OPTIONS>

/** Options of the proxy, in the form that the code uses. */
export type ProxyConfig = Omit<OptionsInput<typeof PROXY_OPTIONS>, 'tags'> & { readonly tags?: TagsInput | undefined }

/**
 * Parses the options. The given values override the environment, which overrides the defaults. Throws an OptionsError
 * that names every invalid option.
 */
export function loadOptions(
  given: ProxyConfig = {},
  env: Readonly<Record<string, string | undefined>> = process.env,
  argv: readonly string[] = [],
): ProxyOptions {
  const options = parseOptions(PROXY_OPTIONS, { given: withAlias(given, env), env, argv })
  const addresses = [options.flagUrl, options['expBootstrap.url']].filter((address) => address !== undefined)
  if (options.requireEncryption && !addresses.every(isEncryptedAddress)) {
    throw new OptionsError(['REQUIRE_ENCRYPTION needs https addresses in FLAG_URL and EXP_BOOTSTRAP_URL'])
  }
  return options
}

/** Applies the alias `proxySecrets` if neither code nor the environment sets `clientKeys` under its own name. */
function withAlias(given: ProxyConfig, env: Readonly<Record<string, string | undefined>>): ProxyConfig {
  const isNamed = toVariableNames('PROXY_CLIENT_KEYS').some((variable) => env[variable] || env[`${variable}_FILE`])
  if (!isGiven(given.proxySecrets) || isGiven(given.clientKeys) || isNamed) return given
  return { ...given, clientKeys: given.proxySecrets }
}

/** Returns true if a value is set. As in the option table, an empty string counts as missing. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ''
}

function isStorageProvider(value: unknown): value is StorageProvider {
  const { get, set } = (value ?? {}) as Record<string, unknown>
  return typeof get === 'function' && typeof set === 'function'
}
