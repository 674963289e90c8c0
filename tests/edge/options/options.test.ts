import { readFileSync } from 'node:fs'
import { readMode } from '@burgee/edge/command-line'
import { COMMERCIAL_OPTIONS, commercialWarnings } from '@burgee/edge/commercial-options'
import {
  EDGE_OPTIONS,
  getMetricsIntervalMs,
  getRefreshIntervalMs,
  getTokenHeader,
  loadEdgeOptions,
  loadOfflineOptions,
  OFFLINE_OPTIONS,
} from '@burgee/edge/options'
import { VERSION } from '@burgee/edge/version'
import { type OptionSources, type OptionTable, toKebabCase } from '@burgee/kit/options/options'
import { describe, expect, test } from 'vitest'
import { type OptionCase, SERVING_CASES, STORAGE_CASES, UPSTREAM_CASES } from './rows.ts'

const REQUIRED = { UPSTREAM_URL: 'http://up', TOKENS: '*:development.s' }
const CASES = [...UPSTREAM_CASES, ...STORAGE_CASES, ...SERVING_CASES]
const optionOf = (option: string, sources: OptionSources) =>
  (loadEdgeOptions(sources).options as Readonly<Record<string, unknown>>)[option]
/** Returns the minimum environment for a start, but without the variables of one option. */
const base = ({ env, besides = {} }: OptionCase) => ({
  ...Object.fromEntries(Object.entries(REQUIRED).filter(([name]) => !env.includes(name))),
  ...besides,
})
const byVariable = CASES.flatMap((row) => row.env.map((variable) => ({ ...row, variable })))

test.each(byVariable)('$option by $variable = $text', (row) => {
  expect(optionOf(row.option, { env: { ...base(row), [row.variable]: row.text } })).toEqual(row.value)
})

test.each(CASES)('$option = $text on the command line, which wins', (row) => {
  const env = { ...base(row), [row.env[0] ?? '']: row.text }
  expect(optionOf(row.option, { argv: [`--${toKebabCase(row.option)}=${row.text}`], env })).toEqual(row.value)
})

test.each(CASES.filter(({ letter }) => letter !== undefined))('$option by -$letter', (row) => {
  expect(optionOf(row.option, { argv: [`-${row.letter}=${row.text}`], env: base(row) })).toEqual(row.value)
})

test('the address has the flag of server and proxy, too, also before the mode', () => {
  expect(optionOf('interface', { argv: ['--host', '127.0.0.1'], env: REQUIRED })).toBe('127.0.0.1')
  expect(readMode(['--host', 'edge', 'offline'])).toEqual({ mode: 'offline', argv: ['--host', 'edge'] })
})

test.each(CASES.filter(({ option }) => !['upstreamUrl', 'tokens'].includes(option)))(
  '$option has its default, also when its variables are empty',
  (row) => {
    const empty = Object.fromEntries(row.env.map((variable) => [variable, '']))
    expect(optionOf(row.option, { env: { ...REQUIRED, ...empty } })).toEqual(row.default)
  },
)

/** Options that the wire protocol does not have, or that only other Burgee processes have. */
const OWN = ['clientKeys', 'fetchInterval', 'metricsInterval', 'httpOptions.rejectUnauthorized', 'useJsonLogger']
const OF_ALL_OURS = ['evaluationBodyLimit', 'evaluationNameLimit', 'maxStreams']

test.each(CASES.filter(({ option }) => ![...OWN, ...OF_ALL_OURS].includes(option)))(
  'the flag of $option is its variable in another spelling',
  ({ option, env }) => {
    expect(env.map((variable) => variable.toLowerCase().replaceAll('_', '-'))).toContain(toKebabCase(option))
  },
)

test('the tables name every option, every variable and every letter', () => {
  expect(new Set([...CASES.map(({ option }) => option), 'logger'])).toEqual(new Set(Object.keys(EDGE_OPTIONS)))
  for (const { option, env, letter } of CASES) {
    const row = (EDGE_OPTIONS as OptionTable)[option]
    expect(row?.env).toEqual(env)
    if (letter !== undefined) expect(row?.letter).toBe(letter)
  }
})

describe('invalid options', () => {
  test.each<[string, Record<string, string>, string[]]>([
    ['no upstream', { UPSTREAM_URL: '' }, ['UPSTREAM_URL']],
    ['no tokens', { TOKENS: '' }, ['TOKENS', 'DYNAMIC']],
    ['pretrusted tokens alone, which fetch nothing', { TOKENS: '', PRETRUSTED_TOKENS: 'k@dev' }, ['TOKENS']],
    ['strict and dynamic', { STRICT: 'true', DYNAMIC: 'true' }, ['STRICT', 'DYNAMIC']],
    ['Redis and a folder', { REDIS_URL: 'redis://r', BACKUP_FOLDER: '/b' }, ['REDIS_URL', 'BACKUP_FOLDER']],
    ['Redis twice', { REDIS_URL: 'redis://r', REDIS_HOST: 'r' }, ['REDIS_URL', 'REDIS_HOST']],
    ['a header for callers twice', { TOKEN_HEADER: 'a', EDGE_AUTH_HEADER: 'b' }, ['TOKEN_HEADER', 'EDGE_AUTH_HEADER']],
    [
      'a header for the upstream twice',
      { TOKEN_HEADER: 'a', UPSTREAM_AUTH_HEADER: 'b' },
      ['TOKEN_HEADER', 'UPSTREAM_AUTH_HEADER'],
    ],
    ['TLS without a key', { TLS_ENABLE: 'true' }, ['TLS_ENABLE', 'TLS_SERVER_KEY', 'TLS_SERVER_CERT']],
    ['a redirect without TLS', { REDIRECT_HTTP_TO_HTTPS: 'true' }, ['REDIRECT_HTTP_TO_HTTPS', 'TLS_ENABLE']],
    [
      'an unencrypted upstream although encryption is required',
      { REQUIRE_ENCRYPTION: 'true', UPSTREAM_URL: 'http://up.example' },
      ['REQUIRE_ENCRYPTION', 'UPSTREAM_URL'],
    ],
    [
      'an unencrypted Redis although encryption is required',
      { REQUIRE_ENCRYPTION: 'true', UPSTREAM_URL: 'https://up.example', REDIS_URL: 'rediss://a,redis://b' },
      ['REQUIRE_ENCRYPTION', 'REDIS_URL'],
    ],
    [
      'an unencrypted host of Redis although encryption is required',
      { REQUIRE_ENCRYPTION: 'true', UPSTREAM_URL: 'https://up.example', REDIS_HOST: 'r' },
      ['REQUIRE_ENCRYPTION', 'REDIS_HOST'],
    ],
    [
      'a certificate without its key',
      { PKCS8_CLIENT_CERTIFICATE_FILE: '/c' },
      ['PKCS8_CLIENT_CERTIFICATE_FILE', 'PKCS8_CLIENT_KEY_FILE'],
    ],
    ['a passphrase for nothing', { PKCS12_PASSPHRASE: 'p' }, ['PKCS12_PASSPHRASE', 'PKCS12_IDENTITY_FILE']],
    [
      'client keys without a token',
      { TOKENS: '', DYNAMIC: 'true', FLAG_PROXY_CLIENT_KEYS: 'k' },
      ['FLAG_PROXY_CLIENT_KEYS', 'TOKENS'],
    ],
    ['one trusted token, two environments', { PRETRUSTED_TOKENS: 'k-1@dev,k-1@live' }, ['PRETRUSTED_TOKENS']],
    ['one client key, two environments', { FLAG_PROXY_CLIENT_KEYS: 'k-1@dev,k-1' }, ['FLAG_PROXY_CLIENT_KEYS']],
    ['an address that is none', { ALLOW_LIST: '10.0.0.0/99' }, ['ALLOW_LIST']],
    ['a header without a value', { CUSTOM_CLIENT_HEADERS: 'X-One' }, ['CUSTOM_CLIENT_HEADERS']],
    ['a URL that is no Redis', { REDIS_URL: 'http://user:pass-word@r' }, ['REDIS_URL']],
  ])('%s', (_name, env, names) => {
    const start = () => loadEdgeOptions({ env: { ...REQUIRED, ...env } })
    for (const name of names) expect(start).toThrow(name)
    expect(start).not.toThrow(/pass-word/)
  })

  test.each<[string, Record<string, string>]>([
    ['no tokens, but SDKs bring theirs', { TOKENS: '', DYNAMIC: 'true' }],
    ['no tokens, but a folder may have some', { TOKENS: '', BACKUP_FOLDER: '/b' }],
    ...['::1', '[::1]', '127.0.0.1'].map((host): [string, Record<string, string>] => [
      `a Redis of this machine at ${host} although encryption is required`,
      { REQUIRE_ENCRYPTION: 'true', UPSTREAM_URL: 'https://up.example', REDIS_HOST: host },
    ]),
    ['a key that names its environment', { TOKENS: '', DYNAMIC: '1', FLAG_PROXY_CLIENT_KEYS: 'k@dev' }],
  ])('do not include %s', (_name, env) => {
    expect(() => loadEdgeOptions({ env: { ...REQUIRED, ...env } })).not.toThrow()
  })
})

test('list options may be repeated', () => {
  const argv = ['-u', 'http://up', '-t', '*:a.1', '--tokens', '*:b.2', '-H', 'A: 1', '-H', 'B: 2']
  const { options } = loadEdgeOptions({ argv, env: {} })
  expect(options.tokens).toEqual(['*:a.1', '*:b.2'])
  expect(options.customClientHeaders).toHaveLength(2)
})

test('an environment file of the client proxy works, its times as well', () => {
  const env = {
    UNLEASH_URL: 'http://up/api',
    UNLEASH_API_TOKEN: '*:development.s',
    UNLEASH_PROXY_CLIENT_KEYS: 'k',
    UNLEASH_FETCH_INTERVAL: '2500',
    UNLEASH_METRICS_INTERVAL: '1500',
    CLIENT_KEY_HEADER_NAME: 'X-Key',
    PROXY_PORT: '3000',
    PROXY_BASE_PATH: '/base',
  }
  const { options } = loadEdgeOptions({ env })
  expect(options).toMatchObject({ upstreamUrl: 'http://up', port: 3000, basePath: '/base', clientKeys: ['k'] })
  expect([getRefreshIntervalMs(options), getMetricsIntervalMs(options), getTokenHeader(options)]).toEqual([
    2500,
    1500,
    'x-key',
  ])
})

describe('options of other products', () => {
  test.each(Object.keys(COMMERCIAL_OPTIONS))('accepts %s as a variable and as a flag, and lists it once', (name) => {
    const row = COMMERCIAL_OPTIONS[name as keyof typeof COMMERCIAL_OPTIONS]
    const [variable = ''] = row.env
    const ways: OptionSources[] = [
      { env: { ...REQUIRED, [variable]: 'true' } },
      { argv: [`--${toKebabCase(name)}=true`], env: REQUIRED },
    ]
    for (const sources of ways) {
      const warnings = commercialWarnings(loadEdgeOptions(sources).commercial, sources)
      expect(warnings).toHaveLength(1)
      expect(warnings[0]).toContain(row.doc)
      expect(warnings[0]).toMatch(new RegExp(`${variable}|--${toKebabCase(name)}`))
    }
  })

  test('cause no line if none is set', () => {
    expect(commercialWarnings(loadEdgeOptions({ env: REQUIRED }).commercial, { env: REQUIRED })).toEqual([])
  })
})

describe('offline', () => {
  test('file and tokens, with the same options for answering', () => {
    const env = {
      BOOTSTRAP_FILE: '/f.json',
      CLIENT_TOKENS: 'a,b',
      FRONTEND_TOKENS: 'c',
      RELOAD_INTERVAL: '7',
      PORT: '1',
    }
    const { options } = loadOfflineOptions({ env })
    expect(options).toMatchObject({ bootstrapFile: '/f.json', clientTokens: ['a', 'b'], reloadInterval: 7, port: 1 })
    expect(loadOfflineOptions({ env: { BOOTSTRAP_FILE: '/f', TOKENS: 'old' } }).options.clientTokens).toEqual(['old'])
    expect(Object.keys(OFFLINE_OPTIONS)).toEqual(expect.arrayContaining(SERVING_CASES.map(({ option }) => option)))
  })

  test.each<[string, object]>([
    ['-b /f.json -c a', { bootstrapFile: '/f.json', clientTokens: ['a'] }],
    ['-b=/f.json -c=a,b -c c', { clientTokens: ['a', 'b', 'c'] }],
    ['-b /f.json -f a -f b', { clientTokens: undefined, frontendTokens: ['a', 'b'] }],
    ['-b /f.json -t a -r 7', { clientTokens: ['a'], reloadInterval: 7 }],
    ['--bootstrap-file /f.json --tokens a --reload-interval 7', { clientTokens: ['a'], reloadInterval: 7 }],
    ['--bootstrap-file=/f.json --tokens=a -c b', { clientTokens: ['a', 'b'] }],
    ['-b /f.json -c a -p 4000 -i 127.0.0.1 -l json -w 2', { port: 4000, interface: '127.0.0.1', workers: 2 }],
  ])('"offline %s"', (line, values) => {
    const { mode, argv } = readMode(['offline', ...line.split(' ')])
    expect(mode).toBe('offline')
    expect(loadOfflineOptions({ env: {}, argv }).options).toMatchObject(values)
  })

  test.each<[string, Record<string, string>, string]>([
    ['no file', { CLIENT_TOKENS: 'a' }, 'BOOTSTRAP_FILE'],
    ['no token', { BOOTSTRAP_FILE: '/f' }, 'CLIENT_TOKENS'],
  ])('%s aborts the start', (_name, env, text) => {
    expect(() => loadOfflineOptions({ env })).toThrow(text)
  })
})

describe('the mode in a command line', () => {
  test.each<[string, string, string]>([
    ['', 'edge', ''],
    ['-u http://up', 'edge', '-u http://up'],
    ['edge -u http://up', 'edge', '-u http://up'],
    ['-p 4000 edge -u http://up', 'edge', '-p 4000 -u http://up'],
    ['--app-name edge', 'edge', '--app-name edge'],
    ['-a offline offline', 'offline', '-a offline'],
    ['offline --strict', 'offline', '--strict'],
    ['health -e http://x', 'health', '-e http://x'],
    ['ready', 'ready', ''],
    ['-p key@development', 'edge', '--pretrusted-tokens key@development'],
    ['-p=key@development', 'edge', '--pretrusted-tokens=key@development'],
    ['-p=4000', 'edge', '-p=4000'],
  ])('"%s" is %s with "%s"', (line, mode, rest) => {
    const words = (text: string) => text.split(' ').filter((word) => word !== '')
    expect(readMode(words(line))).toEqual({ mode, argv: words(rest) })
  })
})

test('the version is that of the package', () => {
  const manifest = readFileSync(new URL('../../../packages/edge/package.json', import.meta.url), 'utf8')
  expect((JSON.parse(manifest) as { version: string }).version).toBe(VERSION)
})
