import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { writeFileSync } from 'node:fs'
import { Server } from 'node:net'
import { join } from 'node:path'
import { getCurrent } from '@burgee/kit/options/current-value'
import { type OptionTable, parseOptions } from '@burgee/kit/options/options'
import { SERVER_OPTIONS, type ServerOptions } from '@burgee/server/core/options/options'
import { afterAll, describe, expect, inject, test, vi } from 'vitest'
import { temporaryFolder } from '../../support/burgee.ts'
import { OTEL_CASES } from '../../support/otel-cases.ts'
import { startServer, TOKENS } from '../scenario.ts'

/** Every option of the server: all ways to set it, the resulting value, and the default. */
interface Row {
  readonly option: keyof typeof SERVER_OPTIONS
  /**
   * Variables in order of precedence. Each variable also has a variant with the vendor's prefix, which ranks after all
   * of these.
   */
  readonly env: readonly string[]
  readonly text: string
  /** Value given in code; by default, the same text as in the variable. */
  readonly code?: unknown
  readonly value: unknown
  readonly default?: unknown
}

const limit = (option: keyof typeof SERVER_OPTIONS, variable: string, most: number): Row => {
  return { option, env: [variable], text: '7', code: 7, value: 7, default: most }
}
const tokens = (option: keyof typeof SERVER_OPTIONS, ...env: string[]): Row => {
  return { option, env, text: 'a:b.c, *:b.d', code: ['a:b.c', '*:b.d'], value: ['a:b.c', '*:b.d'], default: [] }
}
const URL = 'postgres://u:p@db.example:5432/flags'

const PEM = '-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----'
const KEY = '00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff'

const ROWS: readonly Row[] = [
  { option: 'secretKey', env: ['BURGEE_SECRET_KEY'], text: KEY, value: KEY },
  {
    option: 'secretKeyPrevious',
    env: ['BURGEE_SECRET_KEY_PREVIOUS'],
    text: `${KEY}, ${'ab'.repeat(32)}`,
    code: [KEY, 'ab'.repeat(32)],
    value: [KEY, 'ab'.repeat(32)],
  },
  {
    option: 'integrationAllowPrivateAddresses',
    env: ['INTEGRATION_ALLOW_PRIVATE_ADDRESSES', 'ALLOW_PRIVATE_URL_IN_INTEGRATION'],
    text: 'true',
    code: true,
    value: true,
    default: false,
  },
  {
    option: 'integrationAllowedHosts',
    env: ['INTEGRATION_ALLOWED_HOSTS'],
    text: 'hooks.example, *.corp.example',
    code: ['hooks.example', '*.corp.example'],
    value: ['hooks.example', '*.corp.example'],
    default: [],
  },
  { option: 'apiTokenSecrets', env: ['API_TOKEN_SECRETS'], text: 'readable', value: 'readable', default: 'hashed' },
  { option: 'port', env: ['HTTP_PORT', 'PORT'], text: '4000', code: 4000, value: 4000, default: 4242 },
  { option: 'host', env: ['HTTP_HOST'], text: '127.0.0.1', value: '127.0.0.1', default: '0.0.0.0' },
  { option: 'baseUriPath', env: ['BASE_URI_PATH'], text: 'flags/', value: '/flags', default: '' },
  limit('serverKeepAliveTimeout', 'SERVER_KEEPALIVE_TIMEOUT', 72),
  limit('serverHeadersTimeout', 'SERVER_HEADERS_TIMEOUT', 20),
  { option: 'accessControlMaxAge', env: ['ACCESS_CONTROL_MAX_AGE'], text: '0', code: 0, value: 0, default: 86_400 },
  { option: 'enableOAS', env: ['ENABLE_OAS'], text: 'false', code: false, value: false },
  { option: 'serverMetrics', env: ['SERVER_METRICS'], text: 'false', code: false, value: false, default: true },
  {
    option: 'exposeImpactMetrics',
    env: ['EXPOSE_IMPACT_METRICS'],
    text: 'true',
    code: true,
    value: true,
    default: false,
  },
  limit('flagSeriesLimit', 'FLAG_SERIES_LIMIT', 2000),
  limit('maxStreams', 'MAX_STREAMS', 10_000),
  limit('maxStreamsPerUser', 'MAX_STREAMS_PER_USER', 100),
  { option: 'dataDir', env: ['DATA_DIR'], text: '/var/flags', value: '/var/flags', default: './data' },
  { option: 'databaseUrl', env: ['DATABASE_URL'], text: URL, value: URL },
  { option: 'databaseHost', env: ['DATABASE_HOST'], text: 'db', value: 'db' },
  { option: 'databasePort', env: ['DATABASE_PORT'], text: '5433', code: 5433, value: 5433 },
  { option: 'databaseName', env: ['DATABASE_NAME'], text: 'flags', value: 'flags' },
  { option: 'databaseUsername', env: ['DATABASE_USERNAME'], text: 'me', value: 'me' },
  { option: 'databasePassword', env: ['DATABASE_PASSWORD'], text: 'secret', value: 'secret' },
  {
    option: 'databaseSsl',
    env: ['DATABASE_SSL', 'DATABASE_SSL_CA_CONFIG'],
    text: '{"rejectUnauthorized":false}',
    code: { rejectUnauthorized: false },
    value: { rejectUnauthorized: false },
  },
  { option: 'databaseSchema', env: ['DATABASE_SCHEMA'], text: 'flags', value: 'flags' },
  ...[['databaseSslCa', 'CA'] as const, ['databaseSslCert', 'CERT'] as const, ['databaseSslKey', 'KEY'] as const].map(
    ([option, what]) => ({ option, env: [`DATABASE_SSL_${what}`], text: PEM, value: `${PEM}\n` }),
  ),
  {
    option: 'databaseSslRejectUnauthorized',
    env: ['DATABASE_SSL_REJECT_UNAUTHORIZED'],
    text: 'false',
    code: false,
    value: false,
  },
  { option: 'databasePoolMin', env: ['DATABASE_POOL_MIN'], text: '2', code: 2, value: 2 },
  {
    option: 'databasePoolIdleTimeoutMs',
    env: ['DATABASE_POOL_IDLE_TIMEOUT_MS'],
    text: '5000',
    code: 5000,
    value: 5000,
  },
  { option: 'databaseApplicationName', env: ['DATABASE_APPLICATION_NAME'], text: 'me', value: 'me' },
  { option: 'importFile', env: ['IMPORT_FILE'], text: '/f.yml', value: '/f.yml' },
  { option: 'importProject', env: ['IMPORT_PROJECT'], text: 'shop', value: 'shop' },
  { option: 'importEnvironment', env: ['IMPORT_ENVIRONMENT'], text: 'production', value: 'production' },
  {
    option: 'importKeepExisting',
    env: ['IMPORT_KEEP_EXISTING'],
    text: 'true',
    code: true,
    value: true,
    default: false,
  },
  {
    option: 'importDropBeforeImport',
    env: ['IMPORT_DROP_BEFORE_IMPORT'],
    text: 'true',
    code: true,
    value: true,
    default: false,
  },
  { option: 'enabledEnvironments', env: ['ENABLED_ENVIRONMENTS'], text: 'a, b', code: ['a', 'b'], value: ['a', 'b'] },
  {
    option: 'evaluationProfile',
    env: ['EVALUATION_PROFILE'],
    text: 'yggdrasil',
    value: 'yggdrasil',
    default: 'node',
  },
  { option: 'segmentValuesLimit', env: ['SEGMENT_VALUES_LIMIT'], text: '7', code: 7, value: 7 },
  limit('strategySegmentsLimit', 'STRATEGY_SEGMENTS_LIMIT', 100),
  limit('featureEnvironmentStrategiesLimit', 'FEATURE_ENVIRONMENT_STRATEGIES_LIMIT', 100),
  limit('safeguardsLimit', 'SAFEGUARDS_LIMIT', 2000),
  limit('testRunsLimit', 'TEST_RUNS_LIMIT', 2000),
  limit('projectTestRunsLimit', 'PROJECT_TEST_RUNS_LIMIT', 1000),
  {
    option: 'maintenanceMode',
    env: ['MAINTENANCE_MODE', 'UNLEASH_EXPERIMENTAL_MAINTENANCE_MODE'],
    text: 'true',
    code: true,
    value: true,
    default: false,
  },
  {
    option: 'clearSiteDataOnLogout',
    env: ['SESSION_CLEAR_SITE_DATA_ON_LOGOUT'],
    text: 'false',
    code: false,
    value: false,
    default: true,
  },
  { option: 'databasePoolSize', env: ['DATABASE_POOL_MAX'], text: '20', code: 20, value: 20 },
  { option: 'databaseWait', env: ['DATABASE_WAIT'], text: '5', code: 5, value: 5, default: 60 },
  { option: 'keepDocuments', env: ['KEEP_DOCUMENTS'], text: 'false', code: false, value: false, default: true },
  { option: 'keepDocumentsFolder', env: ['KEEP_DOCUMENTS_FOLDER'], text: '/var/kept', value: '/var/kept' },
  { option: 'sessionTtlHours', env: ['SESSION_TTL_HOURS'], text: '5', code: 5, value: 5, default: 48 },
  { option: 'maxParallelSessions', env: ['MAX_PARALLEL_SESSIONS'], text: '2', code: 2, value: 2, default: 5 },
  limit('eventRetentionDays', 'EVENT_RETENTION_DAYS', 730),
  limit('hourlyUsageRetentionDays', 'HOURLY_USAGE_RETENTION_DAYS', 7),
  {
    ...limit('usageRetentionDays', 'USAGE_RETENTION_DAYS', 90),
    env: ['USAGE_RETENTION_DAYS', 'DAILY_METRICS_STORAGE_DAYS'],
  },
  limit('impactRetentionDays', 'IMPACT_RETENTION_DAYS', 90),
  ...OTEL_CASES.map((row) => ({ ...row, code: row.value })),
  limit('impactMetricsLimit', 'IMPACT_METRICS_LIMIT', 200),
  limit('impactSeriesLimit', 'IMPACT_SERIES_LIMIT', 200),
  limit('impactLabelsLimit', 'IMPACT_LABELS_LIMIT', 10),
  limit('impactTextLimit', 'IMPACT_TEXT_LIMIT', 100),
  limit('impactBucketsLimit', 'IMPACT_BUCKETS_LIMIT', 20),
  limit('unseenRetentionDays', 'UNSEEN_RETENTION_DAYS', 30),
  limit('loginRetentionDays', 'LOGIN_RETENTION_DAYS', 30),
  limit('expiredTokenRetentionDays', 'EXPIRED_TOKEN_RETENTION_DAYS', 30),
  limit('changeRequestRetentionDays', 'CHANGE_REQUEST_RETENTION_DAYS', 730),
  {
    option: 'userInactivityThresholdDays',
    env: ['USER_INACTIVITY_THRESHOLD_IN_DAYS'],
    text: '30',
    code: 30,
    value: 30,
    default: 180,
  },
  {
    option: 'deliveryOverdueMinutes',
    env: ['DELIVERY_OVERDUE_MINUTES'],
    text: '10',
    code: 10,
    value: 10,
    default: 5,
  },
  { option: 'unusedFlagDays', env: ['UNUSED_FLAG_DAYS'], text: '14', code: 14, value: 14, default: 7 },
  {
    option: 'personalTokensLimit',
    env: ['PERSONAL_TOKENS_LIMIT'],
    text: '3',
    code: 3,
    value: 3,
    default: 10,
  },
  {
    option: 'personalTokenLifetimeDays',
    env: ['PERSONAL_TOKEN_LIFETIME_IN_DAYS'],
    text: '30',
    code: 30,
    value: 30,
    default: 365,
  },
  { option: 'securityLog', env: ['SECURITY_LOG'], text: 'off', code: false, value: false, default: true },
  { option: 'secureCookies', env: ['SECURE_HEADERS'], text: 'TRUE', code: true, value: true },
  {
    option: 'hstsIncludeSubdomains',
    env: ['HSTS_INCLUDE_SUBDOMAINS'],
    text: 'true',
    code: true,
    value: true,
    default: false,
  },
  {
    option: 'enforcePasswordChange',
    env: ['ENFORCE_PASSWORD_CHANGE'],
    text: '0',
    code: false,
    value: false,
    default: true,
  },
  {
    option: 'frontendApiOrigins',
    env: ['FRONTEND_API_ORIGINS'],
    text: 'https://a.example, https://b.example',
    code: ['https://a.example', 'https://b.example'],
    value: ['https://a.example', 'https://b.example'],
    default: ['*'],
  },
  {
    option: 'bodyMemoryLimit',
    env: ['BODY_MEMORY_LIMIT'],
    text: '8388608',
    code: 8_388_608,
    value: 8_388_608,
    default: 67_108_864,
  },
  {
    option: 'forwardedMetrics',
    env: ['FORWARDED_METRICS'],
    text: 'true',
    code: true,
    value: true,
    default: false,
  },
  { option: 'listenBacklog', env: ['LISTEN_BACKLOG'], text: '7', code: 7, value: 7, default: 4096 },
  { option: 'httpFastLane', env: ['HTTP_FAST_LANE'], text: 'off', code: false, value: false, default: true },
  { option: 'shutdownDelay', env: ['SHUTDOWN_DELAY'], text: '0', code: 0, value: 0, default: 5 },
  { option: 'trustProxy', env: ['TRUST_PROXY'], text: '10.0.0.0/8', value: ['10.0.0.0/8'], default: false },
  { option: 'serverUrl', env: ['SERVER_URL', 'UNLEASH_URL'], text: 'https://f.example', value: 'https://f.example' },
  { option: 'requireEncryption', env: ['REQUIRE_ENCRYPTION'], text: 'true', code: true, value: true, default: false },
  { option: 'auditExportUrl', env: ['AUDIT_EXPORT_URL'], text: 'https://a.b/c', value: 'https://a.b/c' },
  { option: 'auditExportAuthorization', env: ['AUDIT_EXPORT_AUTHORIZATION'], text: 'Bearer x', value: 'Bearer x' },
  { option: 'auditExportCaFile', env: ['AUDIT_EXPORT_CA_FILE'], text: '/etc/ca.pem', value: '/etc/ca.pem' },
  { option: 'auditExportStart', env: ['AUDIT_EXPORT_START'], text: 'all', value: 'all', default: 'new' },
  { option: 'emailHost', env: ['EMAIL_HOST'], text: 'mail.example', value: 'mail.example' },
  { option: 'emailPort', env: ['EMAIL_PORT'], text: '465', code: 465, value: 465 },
  { option: 'emailSecure', env: ['EMAIL_SECURE'], text: 'true', code: true, value: true },
  { option: 'emailStarttls', env: ['EMAIL_STARTTLS'], text: 'required', value: 'required' },
  { option: 'emailCaFile', env: ['EMAIL_CA_FILE'], text: '/etc/ca.pem', value: '/etc/ca.pem' },
  { option: 'emailUser', env: ['EMAIL_USER'], text: 'flags', value: 'flags' },
  { option: 'emailPassword', env: ['EMAIL_PASSWORD'], text: 'secret', value: 'secret' },
  { option: 'emailSender', env: ['EMAIL_SENDER'], text: 'Flags <flags@a.b>', value: 'Flags <flags@a.b>' },
  { option: 'oidcDiscoverUrl', env: ['OIDC_DISCOVER_URL'], text: 'https://id.example', value: 'https://id.example' },
  { option: 'oidcClientId', env: ['OIDC_CLIENT_ID'], text: 'flags', value: 'flags' },
  { option: 'oidcClientSecret', env: ['OIDC_CLIENT_SECRET'], text: 'secret', value: 'secret' },
  { option: 'oidcAutoCreate', env: ['OIDC_AUTO_CREATE'], text: 'true', code: true, value: true },
  {
    option: 'oidcEmailDomains',
    env: ['OIDC_EMAIL_DOMAINS'],
    text: 'a.b, c.d',
    code: ['a.b', 'c.d'],
    value: ['a.b', 'c.d'],
  },
  { option: 'oidcDefaultRootRole', env: ['OIDC_DEFAULT_ROOT_ROLE'], text: 'Editor', value: 'Editor' },
  { option: 'oidcGroupJsonPath', env: ['OIDC_GROUP_JSON_PATH'], text: 'groups', value: 'groups' },
  { option: 'oidcSingleSignOut', env: ['OIDC_SINGLE_SIGN_OUT'], text: 'true', code: true, value: true },
  { option: 'oidcTrustEmail', env: ['OIDC_TRUST_EMAIL'], text: 'true', code: true, value: true },
  limit('simpleLoginLimitPerMinute', 'SIMPLE_LOGIN_LIMIT_PER_MINUTE', 10),
  limit('passwordResetLimitPerMinute', 'PASSWORD_RESET_LIMIT_PER_MINUTE', 10),
  limit('createUserRateLimitPerMinute', 'CREATE_USER_RATE_LIMIT_PER_MINUTE', 20),
  limit('registerClientRateLimitPerMinute', 'REGISTER_CLIENT_RATE_LIMIT_PER_MINUTE', 6000),
  limit('clientMetricsRateLimitPerMinute', 'CLIENT_METRICS_RATE_LIMIT_PER_MINUTE', 6000),
  limit('registerFrontendRateLimitPerMinute', 'REGISTER_FRONTEND_RATE_LIMIT_PER_MINUTE', 6000),
  limit('frontendMetricsRateLimitPerMinute', 'FRONTEND_METRICS_RATE_LIMIT_PER_MINUTE', 6000),
  limit('edgeValidateLimitPerMinute', 'EDGE_VALIDATE_LIMIT_PER_MINUTE', 600),
  limit('tokenGuessLimitPerMinute', 'TOKEN_GUESS_LIMIT_PER_MINUTE', 100),
  limit('readerStorageLimitPerHour', 'READER_STORAGE_LIMIT_PER_HOUR', 5000),
  { option: 'logLevel', env: ['LOG_LEVEL'], text: 'DEBUG', value: 'debug', default: 'warn' },
  { option: 'useJsonLogger', env: ['JSON_LOGGER'], text: 'true', code: true, value: true, default: false },
  { option: 'defaultAdminUsername', env: ['DEFAULT_ADMIN_USERNAME'], text: 'boss', value: 'boss', default: 'admin' },
  { option: 'defaultAdminPassword', env: ['DEFAULT_ADMIN_PASSWORD'], text: 'secret', value: 'secret' },
  tokens('initAdminApiTokens', 'INIT_ADMIN_API_TOKENS'),
  tokens('initClientApiTokens', 'INIT_CLIENT_API_TOKENS', 'INIT_BACKEND_API_TOKENS'),
  tokens('initFrontendApiTokens', 'INIT_FRONTEND_API_TOKENS'),
  { option: 'checkVersion', env: ['CHECK_VERSION'], text: 'true', code: true, value: true, default: false },
  { option: 'sendTelemetry', env: ['SEND_TELEMETRY'], text: 'true', code: true, value: true, default: false },
]

const load = (env: Record<string, string>, given: object = {}, argv: readonly string[] = []) =>
  parseOptions(SERVER_OPTIONS as OptionTable, { env, given, argv }) as ServerOptions
/** Returns all variables of a row: those without the prefix take precedence. */
const variablesOf = ({ env }: Row) => [
  ...env,
  ...env.filter((name) => name !== 'PORT' && !name.startsWith('UNLEASH_')).map((name) => `UNLEASH_${name}`),
]
const byVariable = ROWS.flatMap((row) =>
  variablesOf(row).map((variable, index, all) => ({ ...row, variable, before: all.slice(0, index) })),
)
const isSecret = ({ option }: Row) => (SERVER_OPTIONS as OptionTable)[option]?.secret === true
/** Other values of options that accept only certain words. */
const OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ['http/json', 'grpc'],
  ['gzip', 'none'],
  ['none', 'otlp'],
  ['traceidratio', 'always_on'],
])
/** Returns another valid text for the option, which results in a different value. */
const otherText = ({ value, text }: Row) => {
  if (typeof value === 'boolean') return String(!value)
  if (typeof value === 'number') return String(value > 0 && value < 1 ? value / 2 : value + 1)
  const other = OTHER_WORDS.get(text)
  if (other !== undefined) return other
  if (text === 'DEBUG') return 'error'
  if (text === 'readable') return 'hashed'
  if (text === 'all') return 'new'
  if (text === 'required') return 'off'
  if (text === 'yggdrasil') return 'node'
  if (text === 'Editor') return 'Admin'
  if (text.startsWith('Flags')) return 'a@b.c'
  if (text.startsWith(KEY)) return text.replaceAll('0', '8')
  return text.startsWith('{') ? 'true' : text.startsWith('10.') ? '192.0.2.1' : `${text}x`
}

describe('each option', () => {
  test.each(byVariable)('$option by $variable', ({ option, variable, text, value }) => {
    expect(load({ [variable]: text })[option]).toEqual(value)
  })

  test.each(byVariable.filter(({ before }) => before.length > 0))(
    '$option by $variable yields to those before',
    (row) => {
      for (const better of row.before) {
        const env = { [row.variable]: otherText(row), [better]: row.text }
        expect([better, load(env)[row.option]]).toEqual([better, row.value])
        expect(load({ [row.variable]: otherText(row) })[row.option]).not.toEqual(row.value)
      }
    },
  )

  test.each(ROWS)('$option in code and on the command line, which win over the environment', (row) => {
    const { option, text, code = text, value } = row
    const env = { [row.env[0] ?? '']: 'not\0even\0valid' }
    expect(load(env, { [option]: code })[option]).toEqual(value)
    const flag = option.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase()
    const argv = typeof value === 'boolean' ? [value ? `--${flag}` : `--no-${flag}`] : [`--${flag}=${text}`]
    expect(load(env, {}, argv)[option]).toEqual(value)
  })

  test.each(ROWS)('$option has its default, also when its variables are empty', (row) => {
    const empty = Object.fromEntries(variablesOf(row).map((variable) => [variable, '']))
    expect(load(empty)[row.option]).toEqual(row.default)
  })
})

describe('secrets', () => {
  const folder = temporaryFolder()
  afterAll(folder.remove)

  test.each(byVariable.filter(isSecret))('$option from the file of $variable', (row) => {
    const path = join(folder.path, row.variable)
    writeFileSync(path, `${row.text}\n`)
    const value: unknown = load({ [`${row.variable}_FILE`]: path })[row.option]
    expect(getCurrent(value)).toEqual(row.value)
  })

  test('include every option that grants access', () => {
    expect(new Set(ROWS.filter(isSecret).map(({ option }) => option))).toEqual(
      new Set([
        ...[
          'databaseUrl',
          'databasePassword',
          'databaseSsl',
          'auditExportAuthorization',
          'emailPassword',
          'otelExporterOtlpHeaders',
          'oidcClientSecret',
          'defaultAdminPassword',
          'secretKey',
          'secretKeyPrevious',
        ],
        ...['databaseSslCa', 'databaseSslCert', 'databaseSslKey'],
        ...['initAdminApiTokens', 'initClientApiTokens', 'initFrontendApiTokens'],
      ]),
    )
  })

  test.each([
    ['DATABASE_URL', 'mysql://me:hidden-part@db/x'],
    ['DATABASE_SSL', '{"key":"hidden-part"'],
    ['UNLEASH_DATABASE_URL', 'hidden-part'],
  ])('%s that is not valid is named, and not shown', (variable, text) => {
    expect(() => load({ [variable]: text })).toThrow(variable)
    expect(() => load({ [variable]: text })).not.toThrow(/hidden-part/)
  })
})

test.each([
  ['HTTP_PORT', '65536'],
  ['HTTP_PORT', '80a'],
  ['SERVER_KEEPALIVE_TIMEOUT', '0'],
  ['SERVER_HEADERS_TIMEOUT', '61'],
  ['ACCESS_CONTROL_MAX_AGE', '-1'],
  ['ENABLE_OAS', 'maybe'],
  ['CHECK_VERSION', 'maybe'],
  ['LOG_LEVEL', 'loud'],
  ['DATABASE_POOL_MAX', '0'],
  ['SESSION_TTL_HOURS', '0'],
  ['UNLEASH_URL', 'ftp://f.example'],
  ['BASE_URI_PATH', 'a?b'],
])('%s=%s ends the start, and is named', (variable, text) => {
  expect(() => load({ [variable]: text })).toThrow(variable)
})

test('UNLEASH_PORT is set by Kubernetes for a service of that name, and is not an option', () => {
  expect(load({ UNLEASH_PORT: 'tcp://10.0.0.1:4242' }).port).toBe(4242)
})

test('the tables above name every option and every variable', () => {
  expect(new Set(ROWS.map(({ option }) => option as string))).toEqual(new Set(Object.keys(SERVER_OPTIONS)))
  for (const row of ROWS) {
    expect([row.option, (SERVER_OPTIONS as OptionTable)[row.option]?.env]).toEqual([row.option, variablesOf(row)])
  }
})

describe('in effect', () => {
  test('how long connections stay open and headers may take, at the server itself', async () => {
    const server = await startServer({ serverKeepAliveTimeout: 7, serverHeadersTimeout: 9 })
    try {
      const { url } = await server.server.listen()
      expect((await fetch(`${url}/health`)).headers.get('keep-alive')).toBe('timeout=7')
      expect(server.server.app.server.headersTimeout).toBe(9000)
    } finally {
      await server.close()
    }
  })

  test.each([7, 300])('how many connections wait to be accepted: %i', async (listenBacklog) => {
    const listened = vi.spyOn(Server.prototype, 'listen')
    const server = await startServer({ listenBacklog })
    try {
      await server.server.listen()
      const backlogs = listened.mock.calls.map(([at]) => (at as { readonly backlog?: number }).backlog)
      // an embedded database listens on a separate socket
      expect(new Set(backlogs.filter((backlog) => backlog !== undefined))).toEqual(new Set([listenBacklog]))
    } finally {
      listened.mockRestore()
      await server.close()
    }
  })

  test('how long a preflight holds', async () => {
    const server = await startServer({ accessControlMaxAge: 5 })
    const headers = { origin: 'https://a.example', 'access-control-request-method': 'GET' }
    const reply = await server.call({ call: 'OPTIONS /api/frontend', headers })
    await server.close()
    expect([reply.statusCode, reply.headers['access-control-max-age']]).toEqual([204, '5'])
  })

  test('the document and its page answer 404 if documentation is switched off', async () => {
    const [shown, hidden] = [await startServer(), await startServer({ enableOAS: false })]
    try {
      for (const page of ['/docs/openapi', '/docs/openapi.json', '/docs/openapi/page.js']) {
        expect((await shown.server.app.inject({ url: page })).statusCode).toBe(200)
        expect((await hidden.server.app.inject({ url: page })).statusCode).toBe(404)
      }
      const config = async (server: typeof shown) =>
        (await server.call({ as: 'viewer', call: 'GET /api/admin/ui-config' })).json().links
      expect([(await config(shown)).length, (await config(hidden)).length]).toEqual([1, 0])
    } finally {
      await shown.close()
      await hidden.close()
    }
  })

  // PostgreSQL requires connections to the database
  test.skipIf(inject('driver') === 'postgres')(
    'no connection is made to anybody, whatever is switched on',
    async () => {
      const opened: unknown[] = []
      const onSocket = (socket: unknown) => void opened.push(socket)
      subscribe('net.client.socket', onSocket)
      try {
        const server = await startServer({ checkVersion: true, sendTelemetry: true })
        await server.call({ as: 'admin', call: 'GET /api/admin/ui-config' })
        await server.call({ as: 'client', call: 'GET /api/client/features' })
        await server.server.app.inject({ url: '/', headers: { authorization: TOKENS.admin } })
        await server.server.flush()
        await server.close()
        expect(opened).toEqual([])
        await fetch('http://127.0.0.1:59999').catch(() => {})
        expect(opened).toHaveLength(1)
      } finally {
        unsubscribe('net.client.socket', onSocket)
      }
    },
  )
})
