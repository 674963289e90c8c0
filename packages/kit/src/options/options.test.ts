import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { describeSource, listSecrets, type OptionSources, OptionsError, parseOptions, toKebabCase } from './options.ts'
import { basePath, flag, inCode, integer, list, text, textOrEmpty } from './parsers.ts'

const TABLE = {
  url: { env: ['URL'], parse: text, required: true, doc: 'Where.' },
  port: { env: ['PORT', 'PROXY_PORT'], parse: integer(0, 65535), default: 3000, doc: 'Port.' },
  clientKeys: { env: ['KEYS', 'SECRETS'], parse: list, secret: true, doc: 'Keys.' },
  useJson: { env: ['JSON'], parse: flag, default: false, doc: 'JSON.' },
  noCache: { parse: flag, default: false, doc: 'A switch whose name begins with "no".' },
  proxyBasePath: { env: ['BASE'], parse: basePath, default: '', doc: 'Base.' },
  prefix: { parse: textOrEmpty, doc: 'Prefix.' },
  'cors.origin': { env: ['CORS_ORIGIN'], parse: list, default: ['*'], doc: 'Origins.' },
  'cors.maxAge': { env: ['CORS_MAX_AGE'], parse: integer(0), default: 60, unit: 's', doc: 'Age.' },
  'boot.headers.auth': { env: ['BOOT_AUTH'], parse: text, secret: true, doc: 'Header.' },
  hook: {
    env: ['HOOK'],
    codeOnly: true,
    parse: inCode('a function', (value): value is () => void => typeof value === 'function'),
    doc: 'Hook.',
  },
} as const

const folder = mkdtempSync(join(tmpdir(), 'options-'))
afterAll(() => rmSync(folder, { recursive: true }))
const keyFile = join(folder, 'keys')
writeFileSync(keyFile, '\n file-key-1,file-key-2 \n')
const emptyFile = join(folder, 'empty')
writeFileSync(emptyFile, '\n')

/** Parses the table's options; the required one is set unless a test removes it. */
function read({ given = {}, argv = [], env = {} }: OptionSources) {
  return parseOptions(TABLE, { given, argv, env: { URL: 'u', ...env } })
}

function problemsOf(sources: OptionSources): readonly string[] {
  try {
    read(sources)
  } catch (error) {
    if (error instanceof OptionsError) return error.problems
    throw error
  }
  return []
}

test('options without sources have their defaults, or undefined', () => {
  expect(read({})).toEqual({
    url: 'u',
    port: 3000,
    clientKeys: undefined,
    useJson: false,
    noCache: false,
    proxyBasePath: '',
    prefix: undefined,
    'cors.origin': ['*'],
    'cors.maxAge': 60,
    'boot.headers.auth': undefined,
    hook: undefined,
  })
})

const hook = () => {}
const BEHIND_SWITCH =
  '--use-json has no value after a blank: write --use-json or --use-json=true, --no-use-json or --use-json=false'

test.each<[string, OptionSources, Partial<ReturnType<typeof read>>]>([
  ['code beats all', { given: { port: 1 }, argv: ['--port', '2'], env: { PORT: '3' } }, { port: 1 }],
  ['command line beats environment', { argv: ['--port', '2'], env: { PORT: '3' } }, { port: 2 }],
  ['environment beats default', { env: { PORT: '3' } }, { port: 3 }],
  ['false in code beats true elsewhere', { given: { useJson: false }, env: { JSON: 'true' } }, { useJson: false }],
  ['0 in code beats the environment', { given: { port: 0 }, env: { PORT: '3' } }, { port: 0 }],
  [
    'an empty string in code counts as unset',
    { given: { proxyBasePath: '' }, env: { BASE: '/a' } },
    { proxyBasePath: '/a' },
  ],
  ["'' in code, nested", { given: { cors: { origin: '' } }, env: { CORS_ORIGIN: 'a' } }, { 'cors.origin': ['a'] }],
  ["'' in code where nothing else is", { given: { port: '', useJson: '' } }, { port: 3000, useJson: false }],
  ['undefined in code is not given', { given: { port: undefined }, env: { PORT: '3' } }, { port: 3 }],
  ['null in code is not given', { given: { port: null, cors: null }, env: { PORT: '3' } }, { port: 3 }],
  ['the first variable beats its alias', { env: { PORT: '3', PROXY_PORT: '4' } }, { port: 3 }],
  ['the alias counts alone', { env: { PROXY_PORT: '4' } }, { port: 4 }],
  ['an empty variable is not set', { env: { PORT: '', PROXY_PORT: '4' } }, { port: 4 }],
  ['all empty is the default', { env: { PORT: '', PROXY_PORT: '' } }, { port: 3000 }],
  ['a dotted name is nested in code', { given: { cors: { maxAge: 5 } } }, { 'cors.maxAge': 5, 'cors.origin': ['*'] }],
  ['or written out', { given: { 'cors.maxAge': 5 } }, { 'cors.maxAge': 5 }],
  ['twice nested', { given: { boot: { headers: { auth: 'x' } } } }, { 'boot.headers.auth': 'x' }],
  ['with hyphens on the command line', { argv: ['--cors-max-age', '7'] }, { 'cors.maxAge': 7 }],
  [
    'lists in code are texts or arrays',
    { given: { clientKeys: ['a'], cors: { origin: 'b,c' } } },
    { clientKeys: ['a'], 'cors.origin': ['b', 'c'] },
  ],
  ['functions come from code', { given: { hook } }, { hook }],
  ['and never from the environment as text', { given: { hook }, env: { HOOK: 'x' } }, { hook }],
  ['--x=value', { argv: ['--port=2'] }, { port: 2 }],
  ['only the first = splits', { argv: ['--prefix=a=b'] }, { prefix: 'a=b' }],
  ['--x= is an empty text', { argv: ['--prefix='] }, { prefix: '' }],
  ['a value may begin with one hyphen', { argv: ['--prefix', '-a'] }, { prefix: '-a' }],
  ['and with two after =', { argv: ['--prefix=--a'] }, { prefix: '--a' }],
  ['the last of several wins', { argv: ['--port=2', '--port', '4'] }, { port: 4 }],
  ['--switch', { argv: ['--use-json'] }, { useJson: true }],
  ['--no-switch', { argv: ['--no-use-json'], env: { JSON: 'true' } }, { useJson: false }],
  ['--switch=false', { argv: ['--use-json=false'], env: { JSON: 'true' } }, { useJson: false }],
  ['--switch=yes', { argv: ['--use-json=yes'] }, { useJson: true }],
  ['a switch called no…', { argv: ['--no-cache'] }, { noCache: true }],
  ['and its negation', { given: {}, argv: ['--no-no-cache'] }, { noCache: false }],
  [
    'a secret from a file, blanks at its ends gone',
    { env: { KEYS_FILE: keyFile } },
    { clientKeys: ['file-key-1', 'file-key-2'] },
  ],
  ['the variable beats its file', { env: { KEYS: 'a', KEYS_FILE: keyFile } }, { clientKeys: ['a'] }],
  [
    'an empty variable does not',
    { env: { KEYS: '', KEYS_FILE: keyFile } },
    { clientKeys: ['file-key-1', 'file-key-2'] },
  ],
  [
    'the file beats the alias',
    { env: { KEYS_FILE: keyFile, SECRETS: 'b' } },
    { clientKeys: ['file-key-1', 'file-key-2'] },
  ],
  ['the alias has a file too', { env: { SECRETS_FILE: keyFile } }, { clientKeys: ['file-key-1', 'file-key-2'] }],
  ['only secrets have files', { env: { PORT_FILE: keyFile } }, { port: 3000 }],
])('%s', (_name, sources, expected) => {
  expect(read(sources)).toMatchObject(expected)
})

describe('problems', () => {
  test.each<[string, OptionSources, string[]]>([
    ['required, missing', { env: { URL: undefined } }, ['You must specify the url option (URL): Where.']],
    [
      'required, empty in code',
      { given: { url: '' }, env: { URL: '' } },
      ['You must specify the url option (URL): Where.'],
    ],
    ['required, empty', { env: { URL: '' } }, ['You must specify the url option (URL): Where.']],
    ['bad in code', { given: { port: 70000 } }, ['option "port" must be an integer from 0 to 65535, not 70000']],
    ['odd in code', { given: { port: 1n } }, ['option "port" must be an integer from 0 to 65535, not 1']],
    ['NaN in code', { given: { port: Number.NaN } }, ['option "port" must be an integer from 0 to 65535, not NaN']],
    ['object in code', { given: { port: { secret: 1 } } }, ['option "port" must be an integer from 0 to 65535']],
    ['bad on the command line', { argv: ['--port=x'] }, ['--port must be an integer from 0 to 65535, not "x"']],
    [
      'bad in the environment',
      { env: { PORT: '80s' } },
      ['PORT (option "port") must be an integer from 0 to 65535, not "80s"'],
    ],
    [
      'bad alias',
      { env: { PROXY_PORT: 'x' } },
      ['PROXY_PORT (option "port") must be an integer from 0 to 65535, not "x"'],
    ],
    [
      'bad, though the alias is good',
      { env: { PORT: 'x', PROXY_PORT: '1' } },
      ['PORT (option "port") must be an integer from 0 to 65535, not "x"'],
    ],
    ['unknown in code', { given: { prot: 1 } }, ['Unknown option "prot". Did you mean "port"?']],
    [
      'unknown below a known name',
      { given: { cors: { orgin: '*' } } },
      ['Unknown option "cors.orgin". Did you mean "cors.origin"?'],
    ],
    ['a group that is not an object', { given: { cors: true } }, ['option "cors" must be an object']],
    ['a group that is a list', { given: { cors: ['*'] } }, ['option "cors" must be an object']],
    [
      'a name of every object',
      { given: JSON.parse('{"__proto__":1,"constructor":2}') },
      ['Unknown option "__proto__"', 'Unknown option "constructor"'],
    ],
    ['unknown option', { argv: ['--prot=1'] }, ['Unknown option --prot. Did you mean --port?']],
    [
      'a letter too many',
      { argv: ['--corss-max-age=1'] },
      ['Unknown option --corss-max-age. Did you mean --cors-max-age?'],
    ],
    ['a letter too few', { argv: ['--por', '1'] }, ['Unknown option --por. Did you mean --port?']],
    [
      'the beginning of one name',
      { argv: ['--proxy-base=x'] },
      ['Unknown option --proxy-base. Did you mean --proxy-base-path?'],
    ],
    ['a switch turned off', { argv: ['--no-use-jsno'] }, ['Unknown option --no-use-jsno. Did you mean --no-use-json?']],
    ['like no name at all', { argv: ['--colour=1'] }, ['Unknown option --colour']],
    ['a name as in code', { argv: ['--useJson'] }, ['Unknown option --useJson. Did you mean --use-json?']],
    ['in code only', { argv: ['--hook=x'] }, ['Unknown option --hook']],
    ['a short option', { argv: ['-p'] }, ['Unknown argument "-p"']],
    ['positional', { argv: ['start'] }, ['Unknown argument "start"']],
    ['empty positional', { argv: [''] }, ['Unknown argument ""']],
    ['the end of options', { argv: ['--'] }, ['Unknown option --']],
    ['a value after a switch', { argv: ['--use-json', 'true'] }, [BEHIND_SWITCH]],
    ['another value after a switch', { argv: ['--use-json', 'false', '--port=1'] }, [BEHIND_SWITCH]],
    ['a value after what is off', { argv: ['--no-use-json', 'true'] }, ['--no-use-json takes no value']],
    ['a second one after a switch', { argv: ['--use-json=true', 'x'] }, ['Unknown argument after --use-json']],
    ['value missing at the end', { argv: ['--port'] }, ['--port needs a value']],
    ['value missing before an option', { argv: ['--port', '--use-json'] }, ['--port needs a value']],
    ['negation of what is no switch', { argv: ['--no-port'] }, ['Unknown option --no-port']],
    ['negation with a value', { argv: ['--no-use-json=true'] }, ['--no-use-json takes no value']],
    ['a switch with a bad value', { argv: ['--use-json=2'] }, ['--use-json must be true or false, not "2"']],
    ['an unreadable file', { env: { KEYS_FILE: '/no/such' } }, ['KEYS_FILE: cannot read the file /no/such (ENOENT)']],
    ['a folder as file', { env: { KEYS_FILE: folder } }, [`KEYS_FILE: cannot read the file ${folder} (EISDIR)`]],
    [
      'an empty file',
      { env: { KEYS_FILE: emptyFile } },
      ['KEYS_FILE (option "clientKeys") must be a comma-separated list'],
    ],
    ['a bad secret', { env: { KEYS: ',' } }, ['KEYS (option "clientKeys") must be a comma-separated list']],
  ])('%s', (_name, sources, expected) => {
    expect(problemsOf(sources)).toEqual(expected)
  })

  test('all at once, one line each', () => {
    const sources = {
      given: { port: -1, nope: 1 },
      argv: ['--wrong', '--cors-max-age'],
      env: { URL: '', JSON: 'maybe', KEYS_FILE: '/no/such' },
    }
    const problems = problemsOf(sources)
    expect(problems).toEqual([
      'Unknown option "nope"',
      'Unknown option --wrong',
      '--cors-max-age needs a value',
      'You must specify the url option (URL): Where.',
      'option "port" must be an integer from 0 to 65535, not -1',
      'KEYS_FILE: cannot read the file /no/such (ENOENT)',
      'JSON (option "useJson") must be true or false, not "maybe"',
    ])
    expect(() => read(sources)).toThrow(problems.join('\n'))
  })

  test.each<[string, OptionSources]>([
    ['in code', { given: { clientKeys: ['hush', 7] } }],
    ['in code, wrong type', { given: { boot: { headers: { auth: { token: 'hush' } } } } }],
    ['after a misspelt name', { argv: ['--client-key', 'hush'] }],
    ['after a misspelt name and =', { argv: ['--client-key=hush'] }],
    ['with a blank inside', { argv: ['--client-keys', 'a,', 'hush'] }],
    ['behind a switch', { argv: ['--use-json', 'hush'] }],
  ])('never show a secret: %s', (_name, sources) => {
    const problems = problemsOf(sources)
    expect(problems).toHaveLength(1)
    expect(problems.join()).not.toContain('hush')
  })
})

test('listSecrets lists the values of secret options, one by one', () => {
  const values = read({ given: { clientKeys: ['k1', 'k2'], boot: { headers: { auth: 'h' } } } })
  expect(listSecrets(TABLE, values)).toEqual(['k1', 'k2', 'h'])
  expect(listSecrets(TABLE, read({}))).toEqual([])
  const headers = { headers: { parse: text, secret: true, doc: 'Headers.' } }
  expect(listSecrets(headers, { headers: { authorization: 'Basic eA==' } })).toEqual(['Basic eA=='])
})

test.each<[string, OptionSources, string]>([
  ['code', { given: { port: 1 }, env: { PORT: '3' } }, 'option "port"'],
  ['the command line', { argv: ['--port', '2'], env: { PORT: '3' } }, '--port'],
  ['a variable', { env: { PROXY_PORT: '3' } }, 'PROXY_PORT (option "port")'],
  ["'' in code", { given: { port: '' }, env: { PORT: '3' } }, 'PORT (option "port")'],
  ['nowhere', {}, 'option "port"'],
])('sourceOf a value from %s', (_name, sources, expected) => {
  expect(describeSource(TABLE, 'port', sources)).toBe(expected)
})

test('sourceOf a secret of a file', () => {
  expect(describeSource(TABLE, 'clientKeys', { env: { KEYS_FILE: keyFile } })).toBe('KEYS_FILE (option "clientKeys")')
})

test.each([
  ['port', 'port'],
  ['proxyBasePath', 'proxy-base-path'],
  ['cors.maxAge', 'cors-max-age'],
  ['enableOAS', 'enable-oas'],
  ['expServerSideSdkConfig.tokens', 'exp-server-side-sdk-config-tokens'],
  ['httpOptions.rejectUnauthorized', 'http-options-reject-unauthorized'],
])('kebab %s → %s', (name, expected) => {
  expect(toKebabCase(name)).toBe(expected)
})

describe('letters and repeated lists', () => {
  const LETTERS = {
    port: { parse: integer(0, 65535), letter: 'p', doc: 'Port.' },
    tokens: { parse: list, letter: 't', isRepeatable: true, secret: true, doc: 'Tokens.' },
    strict: { parse: flag, default: false, letter: 's', doc: 'Strict.' },
    names: { parse: list, alias: 'name', doc: 'Names.' },
  } as const
  test.each<[string, readonly string[], object]>([
    ['a second flag', ['--name', 'a', '--names=b'], { names: ['b'] }],
    ['a letter with its value', ['-p', '7'], { port: 7 }],
    ['a letter with =', ['-p=7'], { port: 7 }],
    ['a switch', ['-s', '-p', '7'], { port: 7, strict: true }],
    ['a repeated list', ['-t', 'a', '--tokens', 'b,c', '-t=d'], { tokens: ['a', 'b', 'c', 'd'] }],
    ['another list: the last one', ['--names', 'a', '--names', 'b'], { names: ['b'] }],
    ['a value that begins with a hyphen', ['--names', '-x'], { names: ['-x'] }],
  ])('%s', (_name, argv, values) => {
    expect(parseOptions(LETTERS, { argv })).toMatchObject(values)
  })

  test.each<[string, readonly string[], string]>([
    ['a letter of no option', ['-x'], 'Unknown argument "-x"'],
    ['no value', ['-p', '-s'], '-p needs a value'],
    ['a switch with a value', ['-s', 'yes'], '-s has no value after a blank: write -s or -s=true, -s=false'],
  ])('%s is an error', (_name, argv, problem) => {
    expect(() => parseOptions(LETTERS, { argv })).toThrow(problem)
  })
})
