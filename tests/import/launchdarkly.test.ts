import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLaunchDarklySource } from '@burgee/import/launchdarkly/launchdarkly-source'
import type { Context } from '@burgee/protocol/context'
import { basicLogger, init, integrations, type LDClient } from '@launchdarkly/node-server-sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/burgee.ts'
import { asker, contextsFor, fidelityOf, readAs } from './asked.ts'

type Clause = Record<string, unknown>

const clause = (attribute: string, op: string, values: unknown[], more: Clause = {}): Clause => ({
  attribute,
  op,
  values,
  ...more,
})
const paid = clause('plan', 'in', ['paid'])
const german = clause('country', 'in', ['DE'])
const rule = (variation: number, ...clauses: Clause[]) => ({ variation, clauses })
const inSegment = (key: string, more: Clause = {}) => clause('', 'segmentMatch', [key], more)

/** Returns a boolean flag: variation 0 is true, 1 is false. By default, users get variation 1. */
const flag = (more: object) => ({
  on: true,
  variations: [true, false],
  offVariation: 1,
  fallthrough: { variation: 1 },
  ...more,
})
const ruled = (...clauses: Clause[]) => flag({ rules: [rule(0, ...clauses)] })
const COLOURS = { on: true, variations: ['red', 'blue', 'green'], fallthrough: { variation: 0 } }
const rollout = (first: number, more: object = {}) => ({
  variations: [
    { variation: 0, weight: first },
    { variation: 1, weight: 100_000 - first },
  ],
  ...more,
})

const SEGMENTS = {
  listed: { included: ['id-7-1', 'id-7-2'] },
  ruled: { rules: [{ clauses: [paid, german] }] },
  mixed: { included: ['id-7-1'], excluded: ['id-7-2'], rules: [{ clauses: [paid] }, { clauses: [german] }] },
  nested: { rules: [{ clauses: [inSegment('mixed'), clause('age', 'greaterThan', [18])] }] },
  part: { rules: [{ clauses: [paid], weight: 50_000 }] },
}

const EXACT: Record<string, object> = {
  'for all': flag({ fallthrough: { variation: 0 } }),
  'for nobody': flag({}),
  'switched off': flag({ on: false, fallthrough: { variation: 0 } }),
  'off that is true': flag({ on: false, offVariation: 0 }),
  'anonymous as a text': ruled(clause('anonymous', 'startsWith', ['t'])),
  targets: flag({
    targets: [
      { variation: 0, values: ['id-7-1', 'id-7-2'] },
      { variation: 1, values: ['id-7-3'] },
    ],
  }),
  'targets out of a rule': flag({
    targets: [{ variation: 1, values: ['id-7-1'] }],
    rules: [rule(0, paid)],
    fallthrough: { variation: 0 },
  }),
  in: ruled(clause('country', 'in', ['DE', 'FR'])),
  'in numbers': ruled(clause('age', 'in', [18, 19])),
  'a negated clause': ruled(clause('country', 'in', ['DE'], { negate: true })),
  'two clauses': ruled(paid, german),
  'starts, ends, contains': flag({
    rules: [
      rule(0, clause('email', 'startsWith', ['a@'])),
      rule(0, clause('email', 'endsWith', ['.de', '.fr'])),
      rule(0, clause('email', 'contains', ['x'])),
    ],
  }),
  matches: ruled(clause('email', 'matches', ['^a.+z$', 'q{2}'])),
  'compared numbers': flag({
    rules: [rule(0, clause('age', 'lessThan', [10])), rule(0, clause('age', 'greaterThanOrEqual', [65]))],
  }),
  versions: ruled(clause('app', 'semVerGreaterThan', ['1.2.3'])),
  'opposite of a version': flag({
    rules: [rule(1, clause('app', 'semVerLessThan', ['1.0.0']))],
    fallthrough: { variation: 0 },
  }),
  'the first that applies': flag({
    rules: [rule(1, paid, german), rule(0, paid), rule(1, clause('country', 'in', ['FR']))],
    fallthrough: { variation: 0 },
  }),
  'the first with a negated clause': flag({
    rules: [rule(1, clause('country', 'in', ['DE'], { negate: true }))],
    fallthrough: { variation: 0 },
  }),
  'segment of a list': ruled(inSegment('listed')),
  'segment of a rule': ruled(inSegment('ruled'), clause('age', 'greaterThan', [18])),
  'segment of all kinds': ruled(inSegment('mixed')),
  'segment within a segment': ruled(inSegment('nested')),
  'not in a segment': ruled(inSegment('mixed', { negate: true })),
  'no such segment': ruled(inSegment('nowhere')),
  'whole rollouts': flag({ fallthrough: { rollout: rollout(100_000) } }),
  colours: { ...COLOURS, rules: [rule(1, paid), rule(2, german)] },
  'values of other types': { ...COLOURS, variations: [1, { a: 1 }, [2]], rules: [rule(1, paid), rule(2, german)] },
  'a parent': flag({ prerequisites: [{ key: 'in', variation: 0 }], fallthrough: { variation: 0 } }),
  'a parent with a value': flag({ prerequisites: [{ key: 'colours', variation: 1 }], fallthrough: { variation: 0 } }),
}

const SHARED: Record<string, { flag: object; percent: number; says: RegExp }> = {
  quarter: {
    flag: flag({ fallthrough: { rollout: rollout(25_000) } }),
    percent: 25,
    says: /25 % stay 25 %, but other people/,
  },
  'an eighth': { flag: flag({ fallthrough: { rollout: rollout(12_500) } }), percent: 12, says: /12\.5 % become 12 %/ },
  'a quarter of the paid': {
    flag: flag({ rules: [{ clauses: [paid], rollout: rollout(25_000) }], fallthrough: { variation: 1 } }),
    percent: 25,
    says: /25 % stay/,
  },
  'shares of variants': {
    flag: { ...COLOURS, fallthrough: { rollout: rollout(25_000) } },
    percent: 25,
    says: /shares of the variants stay/,
  },
}

const OFF: Record<string, [flag: object, why: RegExp]> = {
  'another kind': [
    ruled(clause('key', 'in', ['acme'], { contextKind: 'organization' })),
    /contexts of the kind "organization"/,
  ],
  'targets of another kind': [
    flag({ contextTargets: [{ contextKind: 'organization', variation: 0, values: ['acme'] }] }),
    /it targets contexts of the kind/,
  ],
  'a date': [ruled(clause('born', 'before', ['2000-01-01T00:00:00Z'])), /born is a date/],
  'a part of an attribute': [
    ruled(clause('/address/street', 'in', ['x'], { contextKind: 'user' })),
    /is a part of an attribute/,
  ],
  'look-ahead': [ruled(clause('email', 'matches', ['^(?!x)'])), /pattern that RE2 does not support/],
  'a percentage in a segment': [ruled(inSegment('part')), /its segment contains a percentage/],
  'opposite of a prerelease': [
    flag({ rules: [rule(1, clause('app', 'semVerLessThan', ['1.0.0-rc.1']))], fallthrough: { variation: 0 } }),
    /app REGEX cannot be negated/,
  ],
  'a parent that is off': [
    flag({ prerequisites: [{ key: 'off that is true', variation: 0 }], fallthrough: { variation: 0 } }),
    /the flag is off \(prerequisite/,
  ],
  'a parent that is false': [
    flag({ prerequisites: [{ key: 'in', variation: 1 }], fallthrough: { variation: 0 } }),
    /on with the value false/,
  ],
  'a parent of a parent': [
    flag({ prerequisites: [{ key: 'a parent', variation: 0 }], fallthrough: { variation: 0 } }),
    /parents have no parents/,
  ],
  'no such parent': [
    flag({ prerequisites: [{ key: 'nothing', variation: 0 }], fallthrough: { variation: 0 } }),
    /the flag does not exist/,
  ],
}

const flags = Object.fromEntries(
  [
    ...Object.entries(EXACT),
    ...Object.entries(SHARED).map(([name, one]) => [name, one.flag] as const),
    ...Object.entries(OFF).map(([name, [one]]) => [name, one] as const),
  ].map(([key, one]) => [key, { key, version: 1, salt: key, ...one }]),
)
const segments = Object.fromEntries(
  Object.entries(SEGMENTS).map(([key, one]) => [key, { key, version: 1, salt: key, ...one }]),
)
const document = { flags, segments, flagValues: { fixed: 'for all' } }

const folder = temporaryFolder()
const installation = await readAs(createLaunchDarklySource, document)
const ours = asker(installation)
const contexts = contextsFor(ours.document, 300)
let theirs: LDClient

beforeAll(async () => {
  const path = join(folder.path, 'flags.json')
  writeFileSync(path, JSON.stringify(document))
  theirs = init('no-key', {
    updateProcessor: new integrations.FileDataSourceFactory({ paths: [path] }).getFactory(),
    sendEvents: false,
    diagnosticOptOut: true,
    logger: basicLogger({ level: 'none' }),
  })
  await theirs.waitForInitialization({ timeout: 10 })
})
afterAll(() => {
  theirs.close()
  folder.remove()
})

const NUMBERS = new Set(['age'])

/** Evaluates the flags for the same user in LaunchDarkly's SDK. */
async function answerThere(flag: string, { userId = '', properties = {} }: Context): Promise<string> {
  const fields = Object.entries(properties).map(([name, value]) => {
    const isNumber = NUMBERS.has(name) && String(value).trim() !== '' && !Number.isNaN(Number(value))
    return [name, isNumber ? Number(value) : String(value)] as const
  })
  const value: unknown = await theirs.variation(
    flag,
    { kind: 'user', key: userId, ...Object.fromEntries(fields) },
    '(default of the code)',
  )
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return value === '(default of the code)' ? 'off' : JSON.stringify(value)
}

/** LaunchDarkly does not accept users without a key. */
const people = contexts.filter(({ userId }) => userId !== undefined && userId !== '')

describe('LaunchDarkly, a file of its SDKs', () => {
  test('there are enough contexts, and no rule that cannot be evaluated', () => {
    expect(people.length).toBeGreaterThan(400)
    expect(ours.warnings).toEqual([])
  })

  test.each([...Object.keys(EXACT), 'fixed'])('%s: exact', async (flag) => {
    expect(fidelityOf(installation, flag)).toBe('exact')
    const different: object[] = []
    for (const context of people) {
      const [here, there] = [ours.answer(flag, context), await answerThere(flag, context)]
      if (here !== there) different.push({ context, here, there })
    }
    expect(different.slice(0, 1)).toEqual([])
  })

  test.each(Object.entries(SHARED))('%s: as many people, others', async (flag, { percent, says }) => {
    expect(fidelityOf(installation, flag)).toBe('approximated')
    expect(installation.notes.find(({ name }) => name.startsWith(`${flag} in`))?.words).toMatch(says)
    const many = Array.from({ length: 3000 }, (_, at) => ({ userId: `p-${at}`, properties: { plan: 'paid' } }))
    const first = many.filter((one) => ['on', '"red"'].includes(ours.answer(flag, one))).length / many.length
    expect(first).toBeGreaterThan(percent / 100 - 0.03)
    expect(first).toBeLessThan(percent / 100 + 0.03)
  })

  test.each(Object.entries(OFF))('%s: off, with the reason', (flag, [, why]) => {
    expect(fidelityOf(installation, flag)).toBe('not carried')
    expect(installation.notes.find(({ name }) => name.startsWith(`${flag} in`))?.words).toMatch(why)
    expect(new Set(contexts.map((context) => ours.answer(flag, context)))).toEqual(new Set(['off']))
  })

  test('a segment with several ways in is several segments', () => {
    const names = installation.segments.map(({ name }) => name)
    expect(names).toEqual(['listed', 'ruled', 'mixed', 'mixed (2)', 'mixed (3)', 'nested', 'nested (2)', 'nested (3)'])
    expect(
      installation.notes.filter(({ kind }) => kind === 'segment').map(({ name, fidelity }) => [name, fidelity]),
    ).toEqual([
      ['mixed', 'exact'],
      ['nested', 'exact'],
      ['part', 'not carried'],
    ])
  })

  test('the report names off variations whose value is not served', async () => {
    const read = await readAs(createLaunchDarklySource, { flags: { a: { ...COLOURS, on: false, offVariation: 2 } } })
    expect(read.notes.map(({ words }) => words)).toEqual([
      'where it is off, the default in the code applies, not its off variation "green"',
    ])
  })
})

describe('LaunchDarkly, answers of its API', () => {
  const state = (on: boolean) => ({ on, fallthrough: { variation: 0 }, offVariation: 1 })
  const listed = {
    items: [
      {
        key: 'new-checkout',
        name: 'New checkout',
        description: 'The new one',
        temporary: true,
        tags: ['web', 'x'],
        creationDate: 1,
        variations: [
          { _id: 'a', value: true },
          { _id: 'b', value: false },
        ],
        environments: { test: state(true), production: state(false) },
      },
      {
        key: 'old',
        archived: true,
        archivedDate: 5,
        temporary: false,
        variations: [
          { value: 'a', name: 'A' },
          { value: 'b', name: 'B' },
        ],
        environments: {},
      },
    ],
    segments: { test: { items: [{ key: 's', included: ['1'] }] }, production: [{ key: 's', included: ['2'] }] },
  }

  test('environments, tags, kinds and archived flags', async () => {
    const read = await readAs(
      (place, clock) => createLaunchDarklySource({ ...place, environment: undefined }, clock),
      listed,
    )
    const one = await readAs(createLaunchDarklySource, listed)
    expect(one.environments.map(({ name }) => name)).toEqual(['production'])
    expect(read.environments.map(({ name, type }) => [name, type])).toEqual([
      ['test', 'test'],
      ['production', 'production'],
    ])
    expect(
      read.flags.map(({ name, type, description, tags, archivedAt }) => ({
        name,
        type,
        description,
        tags,
        archivedAt,
      })),
    ).toEqual([
      {
        name: 'new-checkout',
        type: 'release',
        description: 'The new one',
        tags: [{ type: 'simple', value: 'web' }],
        archivedAt: null,
      },
      { name: 'old', type: 'operational', description: null, tags: [], archivedAt: 5 },
    ])
    expect(read.segments.map(({ id, name }) => [id, name])).toEqual([
      [1, 's in test'],
      [2, 's in production'],
    ])
    expect(['test', 'production'].map((environment) => asker(read, environment).answer('new-checkout', {}))).toEqual([
      'on',
      'off',
    ])
  })

  test.each<[what: string, document: unknown, says: RegExp]>([
    ['something else', { flag: {} }, /neither "flags" nor "items"/],
    ['a flag without a key', { items: [{}] }, /has no key/],
    ['flags that are a list', { flags: [] }, /"flags" of .* is not an object/],
  ])('%s', async (_, bad, says) => {
    await expect(readAs(createLaunchDarklySource, bad)).rejects.toThrow(says)
  })
})
