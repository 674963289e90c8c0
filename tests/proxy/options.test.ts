import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadOptions, PROXY_OPTIONS, type ProxyConfig } from '@burgee/proxy/options'
import { afterAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/burgee.ts'
import { OTEL_CASES } from '../support/otel-cases.ts'

/** Every option of the specification: all ways to set it, the resulting value, and the default value. */
interface Row {
  readonly option: keyof typeof PROXY_OPTIONS
  /** Variables in order of precedence. */
  readonly env: readonly string[]
  readonly text?: string
  readonly code?: unknown
  readonly value: unknown
  readonly default?: unknown
}

const named = (name: string) => [`FLAG_${name}`, `UNLEASH_${name}`]
const REQUIRED = { FLAG_URL: 'https://up/api', FLAG_API_TOKEN: 'token', FLAG_PROXY_CLIENT_KEYS: 'k1,k2' }
const logger = { debug() {}, info() {}, warn() {}, error() {}, fatal() {} }
const storageProvider = { get: async () => undefined, set: async () => {} }

const ROWS: readonly Row[] = [
  { option: 'flagUrl', env: named('URL'), text: 'https://other/api', value: 'https://other/api' },
  { option: 'requireEncryption', env: ['REQUIRE_ENCRYPTION'], text: 'true', code: true, value: true, default: false },
  { option: 'flagApiToken', env: named('API_TOKEN'), text: 'other', value: 'other' },
  {
    option: 'clientKeys',
    env: [...named('PROXY_CLIENT_KEYS'), ...named('PROXY_SECRETS')],
    text: 'a, b',
    code: ['a', 'b'],
    value: ['a', 'b'],
  },
  { option: 'port', env: ['PORT', 'PROXY_PORT'], text: '4000', code: 4000, value: 4000, default: 3000 },
  { option: 'proxyBasePath', env: ['PROXY_BASE_PATH'], text: 'base/path', value: '/base/path', default: '' },
  { option: 'flagAppName', env: named('APP_NAME'), text: 'mine', value: 'mine', default: 'flag-proxy' },
  { option: 'flagInstanceId', env: named('INSTANCE_ID'), text: 'one', value: 'one' },
  { option: 'refreshInterval', env: named('FETCH_INTERVAL'), text: '700', code: 700, value: 700, default: 5000 },
  { option: 'streaming', env: named('STREAMING'), text: 'off', value: 'off', default: 'auto' },
  { option: 'metricsInterval', env: named('METRICS_INTERVAL'), text: '700', code: 700, value: 700, default: 30_000 },
  { option: 'metricsInterval', env: named('METRICS_INTERVAL'), text: '0', code: 0, value: 0, default: 30_000 },
  { option: 'metricsJitter', env: named('METRICS_JITTER'), text: '70', code: 70, value: 70, default: 0 },
  { option: 'environment', env: named('ENVIRONMENT'), text: 'production', value: 'production' },
  { option: 'projectName', env: named('PROJECT_NAME'), text: 'shop', value: 'shop' },
  { option: 'useJsonLogger', env: ['JSON_LOGGER'], text: 'true', code: true, value: true, default: false },
  { option: 'logLevel', env: ['LOG_LEVEL'], text: 'debug', value: 'debug', default: 'warn' },
  {
    option: 'customStrategies',
    env: named('CUSTOM_STRATEGIES_FILE'),
    text: '/a.js',
    code: ['/a.js'],
    value: ['/a.js'],
    default: [],
  },
  {
    option: 'trustProxy',
    env: ['TRUST_PROXY'],
    text: '10.0.0.0/8, 127.0.0.1',
    value: ['10.0.0.0/8', '127.0.0.1'],
    default: false,
  },
  { option: 'trustProxy', env: ['TRUST_PROXY'], text: 'TRUE', code: true, value: true, default: false },
  { option: 'namePrefix', env: named('NAME_PREFIX'), text: 'pre.', value: 'pre.' },
  {
    option: 'tags',
    env: named('TAGS'),
    text: 'simple:a,team:b:c',
    code: [
      { name: 'simple', value: 'a' },
      { name: 'team', value: 'b:c' },
    ],
    value: [
      { type: 'simple', value: 'a' },
      { type: 'team', value: 'b:c' },
    ],
  },
  {
    option: 'clientKeysHeaderName',
    env: ['CLIENT_KEY_HEADER_NAME'],
    text: 'X-Key',
    value: 'X-Key',
    default: 'authorization',
  },
  {
    option: 'evaluationBodyLimit',
    env: ['FLAG_EVALUATION_BODY_LIMIT'],
    text: '5000',
    code: 5000,
    value: 5000,
    default: 102_400,
  },
  {
    option: 'evaluationNameLimit',
    env: ['FLAG_EVALUATION_NAME_LIMIT'],
    text: '7',
    code: 7,
    value: 7,
    default: 10_000,
  },
  { option: 'impactMetricsLimit', env: ['IMPACT_METRICS_LIMIT'], text: '7', code: 7, value: 7, default: 200 },
  { option: 'impactSeriesLimit', env: ['IMPACT_SERIES_LIMIT'], text: '7', code: 7, value: 7, default: 200 },
  { option: 'impactLabelsLimit', env: ['IMPACT_LABELS_LIMIT'], text: '7', code: 7, value: 7, default: 10 },
  { option: 'impactTextLimit', env: ['IMPACT_TEXT_LIMIT'], text: '7', code: 7, value: 7, default: 100 },
  { option: 'impactBucketsLimit', env: ['IMPACT_BUCKETS_LIMIT'], text: '7', code: 7, value: 7, default: 20 },
  { option: 'maxStreams', env: ['FLAG_MAX_STREAMS'], text: '5', code: 5, value: 5, default: 10_000 },
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
  { option: 'backup', env: ['FLAG_BACKUP'], text: 'no', code: false, value: false, default: true },
  { option: 'workers', env: ['FLAG_WORKERS'], text: '4', code: 4, value: 4, default: 1 },
  { option: 'evaluationProfile', env: ['EVALUATION_PROFILE'], text: 'yggdrasil', value: 'yggdrasil' },
  { option: 'enableOAS', env: ['ENABLE_OAS'], text: 't', code: true, value: true, default: false },
  { option: 'enableAllEndpoint', env: ['ENABLE_ALL_ENDPOINT'], text: '1', code: true, value: true, default: false },
  {
    option: 'cors.allowedHeaders',
    env: ['CORS_ALLOWED_HEADERS'],
    text: 'a, b',
    code: ['a', 'b'],
    value: ['a', 'b'],
  },
  { option: 'cors.credentials', env: ['CORS_CREDENTIALS'], text: 'true', code: true, value: true, default: false },
  { option: 'cors.exposedHeaders', env: ['CORS_EXPOSED_HEADERS'], text: 'A, B', value: 'A, B', default: 'ETag' },
  { option: 'cors.maxAge', env: ['CORS_MAX_AGE'], text: '0', code: 0, value: 0, default: 172_800 },
  { option: 'cors.methods', env: ['CORS_METHODS'], text: 'GET', value: 'GET', default: 'GET, POST' },
  {
    option: 'cors.optionsSuccessStatus',
    env: ['CORS_OPTIONS_SUCCESS_STATUS'],
    text: '200',
    code: 200,
    value: 200,
    default: 204,
  },
  {
    option: 'cors.origin',
    env: ['CORS_ORIGIN'],
    text: 'https://a.example, https://b.example',
    code: ['https://a.example', 'https://b.example'],
    value: ['https://a.example', 'https://b.example'],
    default: ['*'],
  },
  {
    option: 'cors.preflightContinue',
    env: ['CORS_PREFLIGHT_CONTINUE'],
    text: 'true',
    code: true,
    value: true,
    default: false,
  },
  {
    option: 'httpOptions.rejectUnauthorized',
    env: ['HTTP_OPTIONS_REJECT_UNAUTHORIZED'],
    text: 'false',
    code: false,
    value: false,
    default: true,
  },
  { option: 'httpProxy', env: ['http_proxy', 'HTTP_PROXY'], text: 'http://p:1', value: 'http://p:1' },
  { option: 'httpsProxy', env: ['https_proxy', 'HTTPS_PROXY'], text: 'http://p:1', value: 'http://p:1' },
  { option: 'allProxy', env: ['all_proxy', 'ALL_PROXY'], text: 'p:1', value: 'p:1' },
  { option: 'expBootstrap.url', env: ['EXP_BOOTSTRAP_URL'], text: 'http://b/x', value: 'http://b/x' },
  {
    option: 'expBootstrap.urlHeaders.Authorization',
    env: ['EXP_BOOTSTRAP_AUTHORIZATION'],
    text: 'secret',
    value: 'secret',
  },
  {
    option: 'expServerSideSdkConfig.tokens',
    env: ['EXP_SERVER_SIDE_SDK_CONFIG_TOKENS'],
    text: 's1, s2',
    code: ['s1', 's2'],
    value: ['s1', 's2'],
  },
  {
    option: 'expCustomEnrichers',
    env: ['EXP_CUSTOM_ENRICHERS_FILE'],
    text: '/e.js',
    code: ['/e.js'],
    value: ['/e.js'],
    default: [],
  },
  ...OTEL_CASES.map((row) => ({ ...row, code: row.value })),
]

/** Options that can only be set in code. */
const IN_CODE: readonly Pick<Row, 'option' | 'value'>[] = [
  { option: 'proxySecrets', value: ['s'] },
  { option: 'logger', value: logger },
  { option: 'storageProvider', value: storageProvider },
  { option: 'expBootstrap.data', value: [{ name: 'a' }] },
  { option: 'expBootstrap.segments', value: [{ id: 1 }] },
  { option: 'expBootstrap.filePath', value: '/features.json' },
]

/** Burgee's own options. */
const OWN = [
  ...OTEL_CASES.map(({ option }): string => option),
  'host',
  'workers',
  'backup',
  'backupFolder',
  'trustedAddressWins',
  'noProxy',
  'evaluationProfile',
]

/** Returns a nested object, for example `{cors: {maxAge: 0}}` from `cors.maxAge` and 0. */
function nested(option: string, value: unknown): ProxyConfig {
  return option.split('.').reduceRight((inner: unknown, name) => ({ [name]: inner }), value) as ProxyConfig
}

/** Returns the minimum environment for a start, without the variables of one option. */
function base({ env }: Row): Record<string, string> {
  return Object.fromEntries(Object.entries(REQUIRED).filter(([name]) => !env.includes(name)))
}

const byVariable = ROWS.flatMap((row) => row.env.map((variable, index) => ({ ...row, variable, index })))

test.each(byVariable)('$option by $variable', (row) => {
  const { option, variable, text = '', value } = row
  expect(loadOptions({}, { ...base(row), [variable]: text })[option]).toEqual(value)
})

test.each(byVariable.filter(({ index }) => index > 0))('$option by $variable yields to the variable before', (row) => {
  const { option, variable, index, env, text = '', value } = row
  const worse = typeof value === 'number' ? '5' : 'https://worse.example'
  const variables = { ...base(row), [variable]: worse, [env[index - 1] ?? '']: text }
  expect(loadOptions({}, variables)[option]).toEqual(value)
})

test.each(ROWS)('$option in code, which wins over the environment', (row) => {
  const { option, env, text, code = text, value } = row
  const variables = { ...base(row), [env[0] ?? '']: 'not even valid' }
  expect(loadOptions(nested(option, code), variables)[option]).toEqual(value)
})

test.each(ROWS.filter(({ option }) => PROXY_OPTIONS[option] && !('required' in PROXY_OPTIONS[option])))(
  '$option has its default, also when its variables are empty',
  (row) => {
    const { option, env } = row
    const empty = Object.fromEntries(env.map((variable) => [variable, '']))
    expect(loadOptions({}, { ...REQUIRED, ...empty })[option]).toEqual(row.default)
  },
)

test.each(IN_CODE)('$option in code only', ({ option, value }) => {
  expect(loadOptions(nested(option, value), REQUIRED)[option]).toEqual(value)
})

describe('required options', () => {
  test.each(Object.keys(REQUIRED))('%s', (variable) => {
    const { [variable]: _left, ...rest } = REQUIRED as Record<string, string>
    expect(() => loadOptions({}, rest)).toThrow(variable)
    expect(() => loadOptions({}, REQUIRED)).not.toThrow()
  })
})

describe('values that allow no request end the start', () => {
  test.each([
    ['FLAG_URL', 'http://user:pass-word@up/api'],
    ['FLAG_URL', 'http://up/api?project=a'],
    ['FLAG_API_TOKEN', 'pass-word\r\nx: y'],
    ['FLAG_APP_NAME', '日本'],
    ['FLAG_INSTANCE_ID', 'a\nb'],
    ['CLIENT_KEY_HEADER_NAME', 'x key'],
    ['CORS_ALLOWED_HEADERS', 'a,b\r\nc'],
    ['CORS_EXPOSED_HEADERS', 'ETag\r\nx: y'],
    ['CORS_METHODS', 'GET\nPOST'],
    ['CORS_ORIGIN', 'https://a.example,https://\nb.example'],
    ['EXP_BOOTSTRAP_URL', 'http://user:pass-word@up/features'],
    ['EXP_BOOTSTRAP_AUTHORIZATION', 'pass-word\nb'],
  ])('%s=%j', (variable, value) => {
    const start = () => loadOptions({}, { ...REQUIRED, [variable]: value })
    expect(start).toThrow(variable)
    expect(start).not.toThrow(/pass-word/)
  })
})

test.each([{ FLAG_URL: 'http://up.example/api' }, { EXP_BOOTSTRAP_URL: 'http://up.example/flags' }])(
  'REQUIRE_ENCRYPTION rejects %j',
  (variables) => {
    const start = (required: string) => loadOptions({}, { ...REQUIRED, ...variables, REQUIRE_ENCRYPTION: required })
    expect(() => start('true')).toThrow('REQUIRE_ENCRYPTION')
    expect(() => start('false')).not.toThrow()
  },
)

describe('the deprecated alias of client keys', () => {
  const { FLAG_PROXY_CLIENT_KEYS: keys, ...without } = REQUIRED
  test.each<[string, ProxyConfig, Record<string, string>, string[]]>([
    ['alone', { proxySecrets: ['s'] }, {}, ['s']],
    ['beside clientKeys', { proxySecrets: ['s'], clientKeys: ['k'] }, {}, ['k']],
    ['beside the variable of clientKeys', { proxySecrets: ['s'] }, { FLAG_PROXY_CLIENT_KEYS: keys }, ['k1', 'k2']],
    ['beside its own variable', { proxySecrets: ['s'] }, { UNLEASH_PROXY_SECRETS: 'v' }, ['s']],
  ])('%s', (_name, given, env, expected) => {
    expect(loadOptions(given, { ...without, ...env }).clientKeys).toEqual(expected)
  })
})

describe('secrets from files', () => {
  const folder = temporaryFolder()
  afterAll(folder.remove)
  test.each(byVariable.filter(({ option }) => 'secret' in PROXY_OPTIONS[option]))('$variable', (row) => {
    const path = join(folder.path, row.variable)
    writeFileSync(path, `${row.text}\n`)
    expect(loadOptions({}, { ...base(row), [`${row.variable}_FILE`]: path })[row.option]).toEqual(row.value)
  })
})

test('the tables above name every option and every variable', () => {
  const named = [...ROWS, ...IN_CODE].map(({ option }) => option as string)
  expect(new Set([...named, ...OWN])).toEqual(new Set(Object.keys(PROXY_OPTIONS)))
  for (const { option, env } of ROWS) expect((PROXY_OPTIONS[option] as { env: readonly string[] }).env).toEqual(env)
})

describe('forms that code may give', () => {
  const PAIR = [{ type: 'a', value: 'b' }]
  test.each<[ProxyConfig, object]>([
    [{ tags: 'a:b,c:d' }, { tags: [...PAIR, { type: 'c', value: 'd' }] }],
    [{ tags: ['a:b'] }, { tags: PAIR }],
    [{ tags: [{ name: 'a', value: 'b' }] }, { tags: PAIR }],
    [{ tags: PAIR }, { tags: PAIR }],
    [{ tags: ['a:b', { name: 'a', value: 'b' }] }, { tags: [...PAIR, ...PAIR] }],
    [{ clientKeys: 'k1,k2' }, { clientKeys: ['k1', 'k2'] }],
    [{ trustProxy: '10.0.0.1' }, { trustProxy: ['10.0.0.1'] }],
    [{ trustProxy: ['10.0.0.0/8'] }, { trustProxy: ['10.0.0.0/8'] }],
    [{ cors: { origin: 'http://a' } }, { 'cors.origin': ['http://a'] }],
    [{ cors: { origin: ['http://a'] } }, { 'cors.origin': ['http://a'] }],
  ])('%j is read', (config, read) => {
    expect(loadOptions(config, REQUIRED)).toMatchObject(read)
  })

  test.each<[unknown]>([
    [[{ name: 'a' }]],
    [[{}]],
    [[{ name: 'a', value: null }]],
    [[{ name: null, value: 'b' }]],
    [[{ name: 'a', value: '' }]],
    [[{ name: 'a', value: ['b'] }]],
    [[null]],
    [['a']],
  ])('tags %j are rejected by the name of the option', (tags) => {
    expect(() => loadOptions({ tags } as ProxyConfig, REQUIRED)).toThrow(/^option "tags" must be/)
  })
})
