import { OTEL_CASES } from '../../support/otel-cases.ts'

/** Every option of an edge: how it is set, the resulting value, and the default value. */
export interface OptionCase {
  readonly option: string
  /** Variables in order of precedence. */
  readonly env: readonly string[]
  readonly text: string
  readonly value: unknown
  readonly default?: unknown
  readonly letter?: string
  /** Other variables that must be set together with the option. */
  readonly besides?: Readonly<Record<string, string>>
}

const ofProxy = (name: string) => [`FLAG_${name}`, `UNLEASH_${name}`]
const page = (option: string, env: string, isClosed: boolean): OptionCase => {
  return { option, env: [env], text: String(!isClosed), value: !isClosed, default: isClosed }
}

/** Options that concern the upstream of an edge. */
export const UPSTREAM_CASES: readonly OptionCase[] = [
  {
    option: 'requireEncryption',
    env: ['REQUIRE_ENCRYPTION'],
    text: 'true',
    value: true,
    default: false,
    besides: { UPSTREAM_URL: 'https://up.example' },
  },
  {
    option: 'upstreamUrl',
    env: ['UPSTREAM_URL', ...ofProxy('URL')],
    text: 'https://u/x',
    value: 'https://u/x',
    letter: 'u',
  },
  { option: 'upstreamUrl', env: ['UPSTREAM_URL', ...ofProxy('URL')], text: 'https://u/x/api/', value: 'https://u/x' },
  {
    option: 'tokens',
    env: ['TOKENS', ...ofProxy('API_TOKEN')],
    text: '*:a.1, b:a.2',
    value: ['*:a.1', 'b:a.2'],
    letter: 't',
    besides: { DYNAMIC: 'true' },
  },
  { option: 'pretrustedTokens', env: ['PRETRUSTED_TOKENS'], text: 'k@dev', value: ['k@dev'] },
  {
    option: 'clientKeys',
    env: [...ofProxy('PROXY_CLIENT_KEYS'), ...ofProxy('PROXY_SECRETS')],
    text: 'k1,k2@dev',
    value: ['k1', 'k2@dev'],
  },
  { option: 'strict', env: ['STRICT'], text: 'true', value: true },
  { option: 'dynamic', env: ['DYNAMIC'], text: 'true', value: true, default: false },
  {
    option: 'featuresRefreshIntervalSeconds',
    env: ['FEATURES_REFRESH_INTERVAL_SECONDS'],
    text: '7',
    value: 7,
    default: 15,
    letter: 'f',
  },
  { option: 'fetchInterval', env: ofProxy('FETCH_INTERVAL'), text: '700', value: 700 },
  {
    option: 'metricsIntervalSeconds',
    env: ['METRICS_INTERVAL_SECONDS'],
    text: '7',
    value: 7,
    default: 60,
    letter: 'm',
  },
  { option: 'metricsInterval', env: ofProxy('METRICS_INTERVAL'), text: '700', value: 700 },
  { option: 'tokenGuessLimitPerMinute', env: ['TOKEN_GUESS_LIMIT_PER_MINUTE'], text: '7', value: 7, default: 100 },
  { option: 'impactMetricsLimit', env: ['IMPACT_METRICS_LIMIT'], text: '7', value: 7, default: 200 },
  { option: 'impactSeriesLimit', env: ['IMPACT_SERIES_LIMIT'], text: '7', value: 7, default: 200 },
  { option: 'impactLabelsLimit', env: ['IMPACT_LABELS_LIMIT'], text: '7', value: 7, default: 10 },
  { option: 'impactTextLimit', env: ['IMPACT_TEXT_LIMIT'], text: '7', value: 7, default: 100 },
  { option: 'impactBucketsLimit', env: ['IMPACT_BUCKETS_LIMIT'], text: '7', value: 7, default: 20 },
  {
    option: 'tokenRevalidationIntervalSeconds',
    env: ['TOKEN_REVALIDATION_INTERVAL_SECONDS'],
    text: '7',
    value: 7,
    default: 3600,
  },
  { option: 'streaming', env: ['STREAMING', ...ofProxy('STREAMING')], text: 'off', value: 'off', default: 'auto' },
  { option: 'streaming', env: ['STREAMING', ...ofProxy('STREAMING')], text: 'false', value: 'off', default: 'auto' },
  { option: 'streaming', env: ['STREAMING', ...ofProxy('STREAMING')], text: 'true', value: 'auto', default: 'auto' },
  {
    option: 'appName',
    env: ['APP_NAME', ...ofProxy('APP_NAME')],
    text: 'mine',
    value: 'mine',
    default: 'burgee-edge',
    letter: 'a',
  },
  { option: 'instanceId', env: ['INSTANCE_ID', ...ofProxy('INSTANCE_ID')], text: 'one', value: 'one' },
  {
    option: 'customClientHeaders',
    env: ['CUSTOM_CLIENT_HEADERS'],
    text: 'X-One: a, X-Two:b:c',
    value: [
      ['X-One', 'a'],
      ['X-Two', 'b:c'],
    ],
    default: [],
    letter: 'H',
  },
  { option: 'upstreamAuthHeader', env: ['UPSTREAM_AUTH_HEADER'], text: 'X-Up', value: 'X-Up' },
  { option: 'upstreamRequestTimeout', env: ['UPSTREAM_REQUEST_TIMEOUT'], text: '7', value: 7, default: 5 },
  { option: 'upstreamSocketTimeout', env: ['UPSTREAM_SOCKET_TIMEOUT'], text: '7', value: 7, default: 5 },
  { option: 'clientKeepaliveTimeout', env: ['CLIENT_KEEPALIVE_TIMEOUT'], text: '7', value: 7, default: 15 },
  {
    option: 'skipSslVerification',
    env: ['SKIP_SSL_VERIFICATION'],
    text: 'true',
    value: true,
    default: false,
    letter: 's',
  },
  {
    option: 'httpOptions.rejectUnauthorized',
    env: ['HTTP_OPTIONS_REJECT_UNAUTHORIZED'],
    text: 'false',
    value: false,
    default: true,
  },
  { option: 'upstreamCertificateFile', env: ['UPSTREAM_CERTIFICATE_FILE'], text: '/ca', value: '/ca' },
  {
    option: 'pkcs8ClientCertificateFile',
    env: ['PKCS8_CLIENT_CERTIFICATE_FILE'],
    text: '/c',
    value: '/c',
    besides: { PKCS8_CLIENT_KEY_FILE: '/k' },
  },
  {
    option: 'pkcs8ClientKeyFile',
    env: ['PKCS8_CLIENT_KEY_FILE'],
    text: '/k',
    value: '/k',
    besides: { PKCS8_CLIENT_CERTIFICATE_FILE: '/c' },
  },
  { option: 'pkcs12IdentityFile', env: ['PKCS12_IDENTITY_FILE'], text: '/p', value: '/p' },
  {
    option: 'pkcs12Passphrase',
    env: ['PKCS12_PASSPHRASE'],
    text: 'word',
    value: 'word',
    besides: { PKCS12_IDENTITY_FILE: '/p' },
  },
  { option: 'pemCertFile', env: ['PEM_CERT_FILE'], text: '/p', value: '/p' },
  { option: 'httpProxy', env: ['http_proxy', 'HTTP_PROXY'], text: 'http://p:1', value: 'http://p:1' },
  { option: 'httpsProxy', env: ['https_proxy', 'HTTPS_PROXY'], text: 'http://p:1', value: 'http://p:1' },
  { option: 'allProxy', env: ['all_proxy', 'ALL_PROXY'], text: 'p:1', value: 'p:1' },
  { option: 'noProxy', env: ['no_proxy', 'NO_PROXY'], text: 'a,b', value: 'a,b' },
]

/** Options that concern the storage of an edge. */
export const STORAGE_CASES: readonly OptionCase[] = [
  { option: 'backupFolder', env: ['BACKUP_FOLDER', 'FLAG_BACKUP_FOLDER'], text: '/b', value: '/b', letter: 'b' },
  { option: 'redisUrl', env: ['REDIS_URL'], text: 'rediss://a:1,redis://b', value: ['rediss://a:1', 'redis://b'] },
  { option: 'redisMode', env: ['REDIS_MODE'], text: 'CLUSTER', value: 'cluster', default: 'single' },
  { option: 'redisHost', env: ['REDIS_HOST'], text: 'h', value: 'h' },
  { option: 'redisPort', env: ['REDIS_PORT'], text: '7', value: 7, default: 6379 },
  { option: 'redisUsername', env: ['REDIS_USERNAME'], text: 'u', value: 'u' },
  { option: 'redisPassword', env: ['REDIS_PASSWORD'], text: 'p', value: 'p' },
  { option: 'redisSecure', env: ['REDIS_SECURE'], text: 'true', value: true, default: false },
  { option: 'redisScheme', env: ['REDIS_SCHEME'], text: 'tls', value: 'tls', default: 'redis' },
  {
    option: 'redisReadConnectionTimeoutMilliseconds',
    env: ['REDIS_READ_CONNECTION_TIMEOUT_MILLISECONDS'],
    text: '7',
    value: 7,
    default: 2000,
  },
  {
    option: 'redisWriteConnectionTimeoutMilliseconds',
    env: ['REDIS_WRITE_CONNECTION_TIMEOUT_MILLISECONDS'],
    text: '7',
    value: 7,
    default: 2000,
  },
]

const TLS = { TLS_ENABLE: 'true', TLS_SERVER_KEY: '/k', TLS_SERVER_CERT: '/c' }

/** Options that concern serving, with an upstream or a file. */
export const SERVING_CASES: readonly OptionCase[] = [
  ...OTEL_CASES,
  { option: 'port', env: ['PORT', 'PROXY_PORT'], text: '4000', value: 4000, default: 3063, letter: 'p' },
  { option: 'interface', env: ['INTERFACE', 'PROXY_HOST'], text: '127.0.0.1', value: '127.0.0.1', letter: 'i' },
  { option: 'basePath', env: ['BASE_PATH', 'PROXY_BASE_PATH'], text: 'a/b/', value: '/a/b', default: '' },
  {
    option: 'edgeAuthHeader',
    env: ['EDGE_AUTH_HEADER', 'CLIENT_KEY_HEADER_NAME'],
    text: 'X-Key',
    value: 'X-Key',
  },
  { option: 'tokenHeader', env: ['TOKEN_HEADER'], text: 'X-Key', value: 'X-Key' },
  { option: 'disableAllEndpoint', env: ['DISABLE_ALL_ENDPOINT'], text: 'true', value: true, default: false },
  { option: 'enableAllEndpoint', env: ['ENABLE_ALL_ENDPOINT'], text: 'true', value: true, default: false },
  { option: 'evaluationProfile', env: ['EVALUATION_PROFILE'], text: 'node', value: 'node' },
  { option: 'trustProxy', env: ['TRUST_PROXY'], text: '10.0.0.0/8', value: ['10.0.0.0/8'], default: false },
  { option: 'proxyTrustedServers', env: ['PROXY_TRUSTED_SERVERS'], text: '10.0.0.1', value: ['10.0.0.1'] },
  { option: 'allowList', env: ['ALLOW_LIST'], text: '10.0.0.0/8,::1', value: ['10.0.0.0/8', '::1'] },
  { option: 'denyList', env: ['DENY_LIST'], text: '10.0.0.1', value: ['10.0.0.1'] },
  { option: 'edgeRequestTimeout', env: ['EDGE_REQUEST_TIMEOUT'], text: '7', value: 7, default: 5 },
  { option: 'edgeKeepaliveTimeout', env: ['EDGE_KEEPALIVE_TIMEOUT'], text: '7', value: 7, default: 72 },
  { option: 'tlsEnable', env: ['TLS_ENABLE'], text: 'true', value: true, default: false, besides: TLS },
  { option: 'tlsServerKey', env: ['TLS_SERVER_KEY'], text: '/k', value: '/k' },
  { option: 'tlsServerCert', env: ['TLS_SERVER_CERT'], text: '/c', value: '/c' },
  { option: 'tlsServerPort', env: ['TLS_SERVER_PORT'], text: '7', value: 7, default: 3043 },
  {
    option: 'redirectHttpToHttps',
    env: ['REDIRECT_HTTP_TO_HTTPS'],
    text: 'true',
    value: true,
    default: false,
    besides: TLS,
  },
  { option: 'logFormat', env: ['LOG_FORMAT'], text: 'JSON', value: 'json', letter: 'l' },
  { option: 'useJsonLogger', env: ['JSON_LOGGER'], text: 'true', value: true, default: false },
  { option: 'logLevel', env: ['LOG_LEVEL', 'RUST_LOG'], text: 'info', value: 'info', default: 'warn' },
  { option: 'logLevel', env: ['LOG_LEVEL', 'RUST_LOG'], text: 'debug,hyper=warn', value: 'debug', default: 'warn' },
  { option: 'logLevel', env: ['LOG_LEVEL', 'RUST_LOG'], text: 'edge=trace', value: 'debug', default: 'warn' },
  { option: 'logLevel', env: ['LOG_LEVEL', 'RUST_LOG'], text: 'off', value: 'fatal', default: 'warn' },
  page('disableTokensEndpoint', 'DISABLE_TOKENS_ENDPOINT', true),
  page('disableFeaturesEndpoint', 'DISABLE_FEATURES_ENDPOINT', true),
  page('disableMetricsBatchEndpoint', 'DISABLE_METRICS_BATCH_ENDPOINT', true),
  page('disableInstanceDataEndpoint', 'DISABLE_INSTANCE_DATA_ENDPOINT', true),
  page('disableMetricsEndpoint', 'DISABLE_METRICS_ENDPOINT', false),
  { option: 'enableOAS', env: ['ENABLE_OAS'], text: 'false', value: false, default: true },
  {
    option: 'evaluationBodyLimit',
    env: ['FLAG_EVALUATION_BODY_LIMIT'],
    text: '7',
    value: 7,
    default: 2_097_152,
  },
  { option: 'evaluationNameLimit', env: ['FLAG_EVALUATION_NAME_LIMIT'], text: '7', value: 7, default: 10_000 },
  { option: 'maxStreams', env: ['FLAG_MAX_STREAMS'], text: '7', value: 7, default: 10_000 },
  { option: 'bodyMemoryLimit', env: ['BODY_MEMORY_LIMIT'], text: '8388608', value: 8_388_608, default: 67_108_864 },
  { option: 'edgeValidateLimitPerMinute', env: ['EDGE_VALIDATE_LIMIT_PER_MINUTE'], text: '7', value: 7, default: 600 },
  { option: 'forwardedMetrics', env: ['FORWARDED_METRICS'], text: 'true', value: true, default: false },
  { option: 'listenBacklog', env: ['LISTEN_BACKLOG'], text: '7', value: 7, default: 4096 },
  { option: 'httpFastLane', env: ['HTTP_FAST_LANE'], text: 'off', value: false, default: true },
  { option: 'shutdownDelay', env: ['SHUTDOWN_DELAY'], text: '0', value: 0, default: 5 },
  { option: 'cors.allowedHeaders', env: ['CORS_ALLOWED_HEADERS'], text: 'a,b', value: ['a', 'b'] },
  { option: 'cors.credentials', env: ['CORS_CREDENTIALS'], text: 'true', value: true, default: false },
  { option: 'cors.exposedHeaders', env: ['CORS_EXPOSED_HEADERS'], text: 'A', value: 'A', default: 'ETag' },
  { option: 'cors.maxAge', env: ['CORS_MAX_AGE'], text: '7', value: 7, default: 172_800 },
  { option: 'cors.methods', env: ['CORS_METHODS'], text: 'GET', value: 'GET', default: 'GET, POST' },
  {
    option: 'cors.optionsSuccessStatus',
    env: ['CORS_OPTIONS_SUCCESS_STATUS'],
    text: '200',
    value: 200,
    default: 204,
  },
  { option: 'cors.origin', env: ['CORS_ORIGIN'], text: 'https://a', value: ['https://a'], default: ['*'] },
  {
    option: 'cors.preflightContinue',
    env: ['CORS_PREFLIGHT_CONTINUE'],
    text: 'true',
    value: true,
    default: false,
  },
  { option: 'workers', env: ['WORKERS', 'FLAG_WORKERS'], text: '4', value: 4, default: 1, letter: 'w' },
]
