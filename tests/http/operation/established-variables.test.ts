import { listVariables, parseOptions } from '@burgee/kit/options/options'
import {
  listIneffectiveVariables,
  listRejectedVariables,
  REJECTED,
  requireNoRejectedVariables,
  WITHOUT_EFFECT,
} from '@burgee/server/boot/unleash-compat-variables'
import { SERVER_OPTIONS } from '@burgee/server/core/options/options'
import { describe, expect, test } from 'vitest'

/** Handling of every environment variable of Unleash. Source: wire protocol */
const READ = listVariables(SERVER_OPTIONS)
const withoutEffect = (env: Record<string, string>) => listIneffectiveVariables(env, READ).map(([name]) => name)

/** Supported variables and their options. The effects of options are tested elsewhere. */
const WORKS: readonly [variable: string, option: keyof typeof SERVER_OPTIONS][] = [
  ['DATABASE_URL', 'databaseUrl'],
  ['DATABASE_URL_FILE', 'databaseUrl'],
  ['DATABASE_HOST', 'databaseHost'],
  ['DATABASE_PORT', 'databasePort'],
  ['DATABASE_NAME', 'databaseName'],
  ['DATABASE_USERNAME', 'databaseUsername'],
  ['DATABASE_PASSWORD', 'databasePassword'],
  ['DATABASE_SCHEMA', 'databaseSchema'],
  ['DATABASE_SSL', 'databaseSsl'],
  ['DATABASE_SSL_CA_FILE', 'databaseSslCa'],
  ['DATABASE_SSL_CERT_FILE', 'databaseSslCert'],
  ['DATABASE_SSL_KEY_FILE', 'databaseSslKey'],
  ['DATABASE_SSL_CA_CONFIG', 'databaseSsl'],
  ['DATABASE_SSL_REJECT_UNAUTHORIZED', 'databaseSslRejectUnauthorized'],
  ['DATABASE_POOL_MAX', 'databasePoolSize'],
  ['DATABASE_POOL_MIN', 'databasePoolMin'],
  ['DATABASE_POOL_IDLE_TIMEOUT_MS', 'databasePoolIdleTimeoutMs'],
  ['DATABASE_APPLICATION_NAME', 'databaseApplicationName'],
  ['HTTP_PORT', 'port'],
  ['PORT', 'port'],
  ['HTTP_HOST', 'host'],
  ['BASE_URI_PATH', 'baseUriPath'],
  ['UNLEASH_URL', 'serverUrl'],
  ['SERVER_KEEPALIVE_TIMEOUT', 'serverKeepAliveTimeout'],
  ['SECURE_HEADERS', 'secureCookies'],
  ['SESSION_TTL_HOURS', 'sessionTtlHours'],
  ['SESSION_CLEAR_SITE_DATA_ON_LOGOUT', 'clearSiteDataOnLogout'],
  ['MAX_PARALLEL_SESSIONS', 'maxParallelSessions'],
  ['USER_INACTIVITY_THRESHOLD_IN_DAYS', 'userInactivityThresholdDays'],
  ['UNLEASH_DEFAULT_ADMIN_USERNAME', 'defaultAdminUsername'],
  ['UNLEASH_DEFAULT_ADMIN_PASSWORD', 'defaultAdminPassword'],
  ['INIT_ADMIN_API_TOKENS', 'initAdminApiTokens'],
  ['INIT_CLIENT_API_TOKENS', 'initClientApiTokens'],
  ['INIT_BACKEND_API_TOKENS', 'initClientApiTokens'],
  ['INIT_FRONTEND_API_TOKENS', 'initFrontendApiTokens'],
  ['UNLEASH_FRONTEND_API_ORIGINS', 'frontendApiOrigins'],
  ['ACCESS_CONTROL_MAX_AGE', 'accessControlMaxAge'],
  ['ENABLE_OAS', 'enableOAS'],
  ['LOG_LEVEL', 'logLevel'],
  ['CHECK_VERSION', 'checkVersion'],
  ['SEND_TELEMETRY', 'sendTelemetry'],
  ['CREATE_USER_RATE_LIMIT_PER_MINUTE', 'createUserRateLimitPerMinute'],
  ['REGISTER_CLIENT_RATE_LIMIT_PER_MINUTE', 'registerClientRateLimitPerMinute'],
  ['CLIENT_METRICS_RATE_LIMIT_PER_MINUTE', 'clientMetricsRateLimitPerMinute'],
  ['REGISTER_FRONTEND_RATE_LIMIT_PER_MINUTE', 'registerFrontendRateLimitPerMinute'],
  ['FRONTEND_METRICS_RATE_LIMIT_PER_MINUTE', 'frontendMetricsRateLimitPerMinute'],
  ['SIMPLE_LOGIN_LIMIT_PER_MINUTE', 'simpleLoginLimitPerMinute'],
  ['PASSWORD_RESET_LIMIT_PER_MINUTE', 'passwordResetLimitPerMinute'],
  ['UNLEASH_SEGMENT_VALUES_LIMIT', 'segmentValuesLimit'],
  ['UNLEASH_STRATEGY_SEGMENTS_LIMIT', 'strategySegmentsLimit'],
  ['UNLEASH_FEATURE_ENVIRONMENT_STRATEGIES_LIMIT', 'featureEnvironmentStrategiesLimit'],
  ['IMPORT_FILE', 'importFile'],
  ['IMPORT_KEEP_EXISTING', 'importKeepExisting'],
  ['IMPORT_PROJECT', 'importProject'],
  ['IMPORT_ENVIRONMENT', 'importEnvironment'],
  ['IMPORT_DROP_BEFORE_IMPORT', 'importDropBeforeImport'],
  ['ENABLED_ENVIRONMENTS', 'enabledEnvironments'],
  ['DAILY_METRICS_STORAGE_DAYS', 'usageRetentionDays'],
  ['UNLEASH_EXPERIMENTAL_MAINTENANCE_MODE', 'maintenanceMode'],
]

test.each(WORKS)('%s sets the option %s, without a warning', (variable, option) => {
  const { env = [] } = SERVER_OPTIONS[option]
  const isSecret = 'secret' in SERVER_OPTIONS[option]
  const names = [...env, ...(isSecret ? env.map((name) => `${name}_FILE`) : [])]
  expect(names).toContain(variable)
  expect(withoutEffect({ [variable]: 'x' })).toEqual([])
})

/** Accepted without effect. A single warning must mention the given row. */
const WARNS: readonly [variable: string, row: string][] = [
  ...[
    ...['DATABASE_DISABLE_MIGRATION', 'DATABASE_VERSION', 'SERVER_DISABLE_COMPRESSION', 'CDN_PREFIX'],
    ...['GRACEFUL_SHUTDOWN_TIMEOUT', 'UNLEASH_SECRET', 'AUTH_DEMO_ALLOW_ADMIN_LOGIN', 'GOOGLE_AUTH_ENABLED'],
    ...['FRONTEND_API_REFRESH_INTERVAL_MS', 'REQUEST_LOGGER_ENABLE', 'UNLEASH_VERSION_URL'],
    ...['SIGNAL_ENDPOINT_RATE_LIMIT_PER_SECOND', 'SEARCH_FEATURES_RATE_LIMIT_PER_MINUTE'],
    ...['UNLEASH_RESPONSE_TIME_WITH_APP_NAME_KILL_SWITCH', 'PROMETHEUS_API', 'DISABLE_LEGACY_FEATURES_API'],
    ...['DISABLE_BULK_TOGGLE', 'FEEDBACK_URI_PATH', 'ALLOW_NON_STANDARD_DB_DATES'],
    ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'],
  ].map((name) => [name, name] as [string, string]),
  ...['DEFAULT', 'FONT', 'STYLE', 'SCRIPT', 'IMG', 'CONNECT', 'FRAME', 'MEDIA', 'OBJECT'].map(
    (what) => [`CSP_ALLOWED_${what}`, 'CSP_ALLOWED_*'] as [string, string],
  ),
  ['CLIENT_FEATURE_CACHING_ENABLED', 'CLIENT_FEATURE_CACHING_*'],
  ['CLIENT_FEATURE_CACHING_MAXAGE', 'CLIENT_FEATURE_CACHING_*'],
  ['UNLEASH_SIGNAL_ENDPOINTS_LIMIT', 'UNLEASH_*_LIMIT'],
  ['UNLEASH_ENCRYPTION_KEY', 'UNLEASH_ENCRYPTION_*'],
  ['UNLEASH_ENCRYPTION_IV', 'UNLEASH_ENCRYPTION_*'],
  ...['FEATURE_LIFECYCLE', 'EDGE_BULK_METRICS', 'SIGNALS', 'AUTOMATED_ACTIONS', 'FEATURES_EXPORT_IMPORT'].map(
    (what) => [`UNLEASH_EXPERIMENTAL_${what}`, 'UNLEASH_EXPERIMENTAL_*'] as [string, string],
  ),
]

test.each(WARNS)('%s has no effect, and the warning has the text of the row %s', (variable, row) => {
  const doc = WITHOUT_EFFECT.find(({ name }) => name === row)?.doc
  expect(listIneffectiveVariables({ [variable]: 'x' }, READ)).toEqual([[variable, doc]])
  expect(withoutEffect({ [variable]: ' ' })).toEqual([])
})

/** Variables without effect that cause no warning if their value matches the actual behavior. */
test.each([
  ['MIGRATION_LOCK', 'true', 'false'],
  ['GRACEFUL_SHUTDOWN_ENABLE', 'true', 'false'],
  ['DISABLE_NOTIFICATIONS', 'true', 'false'],
  ['ENABLE_HEAP_SNAPSHOT_ENPOINT', 'false', 'true'],
  ['UNLEASH_DEMO', 'false', 'true'],
  ['FILTER_INVALID_CLIENT_METRICS', 'true', 'false'],
])('%s=%s is so anyway, %s is not', (variable, fine, other) => {
  expect([withoutEffect({ [variable]: fine }), withoutEffect({ [variable]: other })]).toEqual([[], [variable]])
})

describe('variables refused at the start, by name and without the value', () => {
  test.each([
    ['AUTH_TYPE', 'none'],
    ['AUTH_TYPE', 'demo'],
    ['AUTH_TYPE', 'custom'],
    ['AUTH_TYPE', 'hosted'],
    ['UNLEASH_AUTH_TYPE', 'none'],
    ['AUTH_ENABLE_API_TOKEN', 'false'],
  ])('%s=%s', (variable, value) => {
    const [line = '', ...more] = listRejectedVariables({ [variable]: value })
    expect([line.startsWith(`${variable} has a value that is not supported: `), more]).toEqual([true, []])
    expect(() => requireNoRejectedVariables({ [variable]: value })).toThrow(line)
  })

  test.each([
    ['AUTH_TYPE', 'open-source'],
    ['AUTH_TYPE', ''],
    ['AUTH_ENABLE_API_TOKEN', 'true'],
  ])('do not include %s=%s', (variable, value) => {
    expect(listRejectedVariables({ [variable]: value })).toEqual([])
    expect(withoutEffect({ [variable]: value })).toEqual([])
  })
})

test('no row names what is read, and each is named above', () => {
  expect([...WITHOUT_EFFECT, ...REJECTED].filter(({ name }) => READ.has(name))).toEqual([])
  const told = new Set(WARNS.map(([, row]) => row))
  const single = ['MIGRATION_LOCK', 'GRACEFUL_SHUTDOWN_ENABLE', 'DISABLE_NOTIFICATIONS', 'UNLEASH_DEMO']
  const others = [...single, 'ENABLE_HEAP_SNAPSHOT_ENPOINT', 'FILTER_INVALID_CLIENT_METRICS']
  expect(new Set(WITHOUT_EFFECT.map(({ name }) => name))).toEqual(new Set([...told, ...others]))
})

test.each([
  ['DATABASE_SCHEMA', 'a"b'],
  ['DATABASE_SCHEMA', 'x'.repeat(64)],
  ['DATABASE_SSL_CA', 'no certificate'],
  ['DATABASE_POOL_IDLE_TIMEOUT_MS', '0'],
  ['SEGMENT_VALUES_LIMIT', '10001'],
  ['STRATEGY_SEGMENTS_LIMIT', '101'],
  ['FEATURE_ENVIRONMENT_STRATEGIES_LIMIT', '1001'],
  ['ENABLED_ENVIRONMENTS', ','],
])('%s=%s ends the start, and is named', (variable, text) => {
  expect(() => parseOptions(SERVER_OPTIONS, { env: { [variable]: text } })).toThrow(variable)
})
