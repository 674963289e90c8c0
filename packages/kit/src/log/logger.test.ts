import { expect, test } from 'vitest'
import { createDebugLog, createLogger, Fields, LOG_LEVELS, type LoggerOptions, SILENT } from './logger.ts'

/** Time of all entries in this test, as logged. */
const AT = '2026-01-02T03:04:05.006Z'

function logger(options: Partial<LoggerOptions> = {}) {
  const lines: string[] = []
  const log = createLogger({
    level: 'debug',
    json: false,
    secrets: () => [],
    write: (line) => lines.push(line),
    clock: () => Date.parse(AT),
    ...options,
  })
  return { log, lines }
}

const entryOf = (line: string | undefined) => JSON.parse(line ?? '') as { [name: string]: unknown; args: unknown[] }

test.each([
  ['debug', ['debug', 'info', 'warn', 'error', 'fatal']],
  ['info', ['info', 'warn', 'error', 'fatal']],
  ['warn', ['warn', 'error', 'fatal']],
  ['error', ['error', 'fatal']],
  ['fatal', ['fatal']],
] as const)('level %s writes %j', (level, written) => {
  const { log, lines } = logger({ level })
  for (const each of LOG_LEVELS) log[each](each)
  expect(lines).toEqual(written.map((each) => `${AT} ${each.toUpperCase()}: ${each}\n`))
})

test('a silent logger has every level', () => {
  for (const level of LOG_LEVELS) expect(SILENT[level]('x', 1)).toBeUndefined()
})

const circular: Record<string, unknown> = { name: 'loop' }
circular.self = circular
const selfCaused = new Error('ouroboros')
selfCaused.cause = selfCaused

test.each<[string, unknown[], string]>([
  ['no argument', [], 'INFO: said'],
  ['texts as they are', ['a', 'b c'], 'INFO: said a b c'],
  ['objects as literals', [{ a: [1, { b: 2 }] }], 'INFO: said { a: [ 1, { b: 2 } ] }'],
  ['big integers', [10n], 'INFO: said 10n'],
  ['nothing', [undefined, null], 'INFO: said undefined null'],
  ['what contains itself', [circular], "INFO: said <ref *1> { name: 'loop', self: [Circular *1] }"],
  ['control characters as escapes', ['\u001b[2J\r'], 'INFO: said \\u001b[2J\\u000d'],
  ['a text that would forge an entry', ['x\nFATAL: forged'], 'INFO: said x\n    FATAL: forged'],
])('text: %s', (_name, args, expected) => {
  const { log, lines } = logger()
  log.info('said', ...args)
  expect(lines).toEqual([`${AT} ${expected}\n`])
})

test('text: an error comes with its stack and its cause', () => {
  const { log, lines } = logger()
  log.error('failed', new Error('outer', { cause: new TypeError('inner') }))
  expect(lines[0]).toMatch(/^\S+ ERROR: failed Error: outer\n +at .*logger\.test\.ts/)
  expect(lines[0]).toContain('TypeError: inner')
})

test.each<[string, unknown, unknown]>([
  ['text', 'x', 'x'],
  ['number', 7, 7],
  ['not a number', Number.NaN, 'NaN'],
  ['big integer', 12345678901234567890n, '12345678901234567890'],
  ['undefined', undefined, 'undefined'],
  ['function', function named() {}, '[Function: named]'],
  ['symbol', Symbol('s'), 'Symbol(s)'],
  ['date', new Date(0), '1970-01-01T00:00:00.000Z'],
  ['bad date', new Date(Number.NaN), 'Invalid Date'],
  ['map', new Map([['a', 1]]), [['a', 1]]],
  ['set', new Set(['a']), ['a']],
  ['bytes', Buffer.from('secret bytes'), '[12 bytes]'],
  ['what contains itself', circular, { name: 'loop', self: '[circular]' }],
  ['the same twice is no circle', [circular.name, circular.name], ['loop', 'loop']],
  ['own JSON form', { toJSON: () => ({ shown: 1n }) }, { shown: '1' }],
  [
    'failing JSON form',
    {
      toJSON() {
        throw new Error('no')
      },
    },
    '[unreadable]',
  ],
  [
    'failing member',
    {
      a: 1,
      get b() {
        throw new Error('no')
      },
    },
    { a: 1, b: '[unreadable]' },
  ],
])('json: argument %s', (_name, value, expected) => {
  const { log, lines } = logger({ json: true })
  log.info('said', value)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatch(/^[^\n]*\n$/)
  expect(entryOf(lines[0])).toEqual({
    time: '2026-01-02T03:04:05.006Z',
    level: 'info',
    message: 'said',
    args: [expected],
  })
})

test('json: an error keeps name, message, stack, cause and its own members, also within an object', () => {
  const { log, lines } = logger({ json: true })
  const error = Object.assign(new TypeError('outer', { cause: new Error('inner') }), { code: 'E_CODE' })
  log.error('failed', error, { error })
  const [first, second] = entryOf(lines[0]).args
  expect(first).toMatchObject({ name: 'TypeError', message: 'outer', code: 'E_CODE', cause: { message: 'inner' } })
  expect(first).toHaveProperty('stack', expect.stringContaining('logger.test.ts'))
  expect(second).toEqual({ error: first })
})

test('json: several errors in one', () => {
  const { log, lines } = logger({ json: true })
  log.error('failed', new AggregateError([new Error('one'), new Error('two')]))
  expect(entryOf(lines[0]).args[0]).toMatchObject({ errors: [{ message: 'one' }, { message: 'two' }] })
})

test('json: an error that causes itself, and nesting without end', () => {
  const { log, lines } = logger({ json: true })
  let deep: unknown = 'bottom'
  for (let level = 0; level < 10_000; level++) deep = [deep]
  log.error('failed', selfCaused, deep)
  expect(entryOf(lines[0]).args).toMatchObject([{ cause: '[circular]' }, [[[[[[[['[deep]']]]]]]]]])
})

test.each([true, false])('never throws (json: %s)', (json) => {
  const hostile = new Proxy(
    {},
    {
      get() {
        throw new Error('no')
      },
      ownKeys() {
        throw new Error('no')
      },
    },
  )
  const failing = () => {
    throw new Error('no')
  }
  const all = logger({ json })
  all.log.info(Symbol('message') as unknown as string, hostile, selfCaused, circular, 1n)
  expect(all.lines).toHaveLength(1)
  for (const broken of [{ secrets: failing }, { clock: failing }, { write: failing }]) {
    const { log, lines } = logger({ json, ...broken })
    expect(() => log.fatal('x', 'hidden-key')).not.toThrow()
    expect(lines).toEqual([])
  }
  const timeless = logger({ json, clock: () => Number.NaN })
  timeless.log.info('x')
  expect(timeless.lines).toHaveLength(1)
})

const SECRET = 'k"e\\y\n\'ü`7/+'

test.each([true, false])('secrets never appear (json: %s)', (json) => {
  const secrets = ['token-1', 'token-12345', SECRET, 'abc']
  const { log, lines } = logger({ json, secrets: () => secrets })
  const error = new Error(`bad token-12345 of ${SECRET}`, { cause: new Error(`inner ${SECRET}`) })
  log.error(`message ${SECRET} token-1`, SECRET, { [SECRET]: { nested: [SECRET] } }, error)
  log.warn('escaped', JSON.stringify({ key: SECRET }), `https://host/?key=${encodeURIComponent(SECRET)}`)
  const all = lines.join('')
  for (const form of [SECRET, JSON.stringify(SECRET).slice(1, -1), encodeURIComponent(SECRET), 'token-1', '2345']) {
    expect(all).not.toContain(form)
  }
  expect(all).not.toMatch(/k.{0,4}"e/)
  expect(all).toContain('***')
  if (json) for (const line of lines) expect(entryOf(line).level).toMatch(/error|warn/)
})

test('secrets are read for each entry', () => {
  let secrets = ['first-key']
  const { log, lines } = logger({ secrets: () => secrets })
  log.info('first-key second-key')
  secrets = ['second-key']
  log.info('first-key second-key')
  expect(lines).toEqual([`${AT} INFO: *** second-key\n`, `${AT} INFO: first-key ***\n`])
})

test('a secret that ends in a backslash leaves the JSON whole', () => {
  const { log, lines } = logger({ json: true, secrets: () => ['abc\\'] })
  log.info('abc\\', 'abc"')
  expect(entryOf(lines[0])).toMatchObject({ message: '***', args: ['abc"'] })
})

test('texts shorter than four characters are no secrets', () => {
  const { log, lines } = logger({ secrets: () => ['', 'abc'] })
  log.info('abc')
  expect(lines).toEqual([`${AT} INFO: abc\n`])
})

const fields = new Fields({
  plain: 'a.b/c:1@d',
  spaced: 'a b',
  forged: 'x y="1"\nFATAL: z',
  none: null,
  count: 3,
  yes: true,
  empty: '',
})

test('text: fields are names with values, quoted where one could be taken for more', () => {
  const { log, lines } = logger()
  log.info('said', fields)
  expect(lines).toEqual([
    `${AT} INFO: said plain=a.b/c:1@d spaced="a b" forged="x y=\\"1\\"\\nFATAL: z" none=null count=3 yes=true empty=""\n`,
  ])
})

test('JSON: fields are members of the entry, and replace none of its own', () => {
  const { log, lines } = logger({ json: true })
  log.info('said', fields, 'more', new Fields({ level: 'fatal', message: 'forged', time: 0, args: 'x', own: 1 }))
  expect(entryOf(lines[0])).toEqual({
    ...fields.values,
    time: '2026-01-02T03:04:05.006Z',
    level: 'info',
    message: 'said',
    args: ['more'],
    own: 1,
  })
})

test('steps are logged at the debug level only', () => {
  const { log, lines } = logger()
  for (const level of LOG_LEVELS) createDebugLog(log, level)?.(`a step at ${level}`)
  expect(lines).toEqual([`${AT} DEBUG: a step at debug\n`])
})
