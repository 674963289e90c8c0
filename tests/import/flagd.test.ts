import { createFlagdSource } from '@burgee/import/flagd/flagd-source'
import type { Context } from '@burgee/protocol/context'
import { FlagdCore } from '@openfeature/flagd-core'
import { describe, expect, test } from 'vitest'
import { asker, contextsFor, fidelityOf, NOW, readAs } from './asked.ts'

const SWITCH = { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'off' }
const COLOURS = { state: 'ENABLED', variants: { red: 'r', blue: 'b', green: 'g' }, defaultVariant: 'red' }
const is = (name: string, value: unknown) => ({ '==': [{ var: name }, value] })
const given = (condition: unknown, more: object = SWITCH) => ({ ...more, targeting: { if: [condition, 'on'] } })

const EVALUATORS = { staff: { ends_with: [{ var: 'email' }, '@staff.example'] } }

/** Flags that are evaluated in exactly the same way after the import. */
const EXACT: Record<string, object> = {
  on: { ...SWITCH, defaultVariant: 'on' },
  off: SWITCH,
  disabled: { ...SWITCH, state: 'DISABLED', defaultVariant: 'on' },
  'no default': { ...SWITCH, defaultVariant: null, targeting: { if: [is('plan', 'paid'), 'on', null] } },
  equal: given(is('plan', 'paid')),
  'not equal': given({ '!=': [{ var: 'plan' }, 'paid'] }),
  number: given(is('age', 18)),
  'a text before the field': given({ '==': ['paid', { var: 'plan' }] }),
  identical: given({ '===': [{ var: 'plan' }, 'paid'] }),
  'identical to null': given({ '===': [{ var: 'plan' }, null] }),
  'not identical to null': given({ '!==': [{ var: 'plan' }, null] }),
  list: given({ in: [{ var: 'country' }, ['DE', 'FR']] }),
  substring: given({ in: ['@b', { var: 'email' }] }),
  key: given(is('targetingKey', 'id-7-3')),
  'more than': given({ '>': [{ var: 'age' }, 18] }),
  between: given({ '<': [10, { var: 'age' }, 18] }),
  starts: given({ starts_with: [{ var: 'email' }, 'a'] }),
  ends: given({ ends_with: [{ var: 'email' }, '@staff.example'] }),
  version: given({ sem_ver: [{ var: 'app' }, '>=', '1.2.3'] }),
  'version of a major': given({ sem_ver: [{ var: 'app' }, '^', '1.2.3'] }),
  'version of a minor': given({ sem_ver: [{ var: 'app' }, '~', '1.2.3'] }),
  'opposite of a version': given({ '!': [{ sem_ver: [{ var: 'app' }, '>', '1.0.0'] }] }),
  'opposite of less': given({ '!': [{ '<': [{ var: 'age' }, 18] }] }),
  'less than 18, or missing': given({ '<': [{ var: 'age' }, 18] }),
  'a version of two numbers': given({ sem_ver: [{ var: 'app' }, '>=', 'v1.2'] }),
  'another version': given({ sem_ver: [{ var: 'app' }, '!=', '1.2.3'] }),
  and: given({ and: [is('plan', 'paid'), is('country', 'DE')] }),
  or: given({ or: [is('plan', 'paid'), is('country', 'DE')] }),
  not: given({ '!': [{ and: [is('plan', 'paid'), { in: [{ var: 'country' }, ['DE']] }] }] }),
  shared: given({ $ref: 'staff' }),
  'the first that applies': {
    ...SWITCH,
    defaultVariant: 'on',
    targeting: { if: [is('plan', 'free'), 'off', is('country', 'DE'), 'on', is('country', 'FR'), 'off', 'on'] },
  },
  nested: {
    ...SWITCH,
    targeting: { if: [is('plan', 'paid'), { if: [is('country', 'DE'), 'on', 'off'] }, is('country', 'FR'), 'on'] },
  },
  'a condition itself': {
    ...SWITCH,
    variants: { true: true, false: false },
    defaultVariant: 'false',
    targeting: is('plan', 'paid'),
  },
  colours: {
    ...COLOURS,
    targeting: { if: [is('plan', 'paid'), 'blue', { '>': [{ var: 'age' }, 18] }, 'green', 'red'] },
  },
  'colours by default': { ...COLOURS, targeting: { if: [is('plan', 'paid'), 'blue'] } },
  numbers: {
    ...COLOURS,
    variants: { one: 1, two: 2.5 },
    defaultVariant: 'one',
    targeting: { if: [is('plan', 'paid'), 'two', 'one'] },
  },
  objects: {
    ...COLOURS,
    variants: { a: { x: [1] }, b: {} },
    defaultVariant: 'a',
    targeting: { if: [is('plan', 'paid'), 'b'] },
  },
}

/**
 * Flags that are evaluated in the same way if attributes have the type that the report names. The report also mentions
 * values of other types.
 */
const LOOSE: Record<string, object> = {
  'equal to 0': given(is('age', 0)),
  'equal to null': given(is('plan', null)),
  'not equal to null': given({ '!=': [{ var: 'plan' }, null] }),
}

/** Flags whose percentages are unchanged but select different users. */
const SHARED: Record<string, { flag: object; percent: number }> = {
  quarter: {
    flag: {
      ...SWITCH,
      targeting: {
        fractional: [
          ['on', 25],
          ['off', 75],
        ],
      },
    },
    percent: 25,
  },
  'quarter of the paid': {
    flag: {
      ...SWITCH,
      targeting: {
        if: [is('plan', 'paid'), { fractional: [{ var: 'targetingKey' }, ['on', 25], ['off', 75]] }, 'off'],
      },
    },
    percent: 25,
  },
}

/** Flags that are off after the import, with the reason. */
const OFF: Record<string, [flag: object, why: RegExp]> = {
  'nested field': [given(is('user.plan', 'paid')), /compared value is not a field/],
  arithmetic: [given({ '==': [{ '%': [{ var: 'age' }, 2] }, 0] }), /is not a field|expression/],
  'opposite of a prerelease': [
    given({ '!': [{ sem_ver: [{ var: 'app' }, '>', '1.0.0-rc.1'] }] }),
    /app REGEX cannot be negated/,
  ],
  'a user beside the key': [given(is('userId', 'anna')), /"userId", which is the targeting key here/],
  'a constant before the field': [given({ '==': [0, { var: 'age' }] }), /name the field first/],
  'false before the field': [given({ '==': [false, { var: 'plan' }] }), /false is compared with plan: name the field/],
  'a number in a field': [given({ in: [5, { var: 'email' }] }), /"in" is applied to a value that is not a field/],
  'a text in a text': [given({ in: ['a', 'abc'] }), /"in" is applied to a value that is not a field/],
  'empty text': [given(is('plan', '')), /string that is empty/],
  'shares of an expression': [
    { ...SWITCH, targeting: { fractional: [{ cat: [{ var: 'a' }, { var: 'b' }] }, ['on', 50], ['off', 50]] } },
    /assigned by an expression/,
  ],
  'unknown operator': [given({ missing: ['plan'] }), /is applied to a value that is not a field|no counterpart/],
}

const flags = {
  ...EXACT,
  ...LOOSE,
  ...Object.fromEntries(Object.entries(SHARED).map(([name, { flag }]) => [name, flag])),
  ...Object.fromEntries(Object.entries(OFF).map(([name, [flag]]) => [name, flag])),
}
const document = { flags, $evaluators: EVALUATORS }
const installation = await readAs(createFlagdSource, document)
const ours = asker(installation)
const theirs = new FlagdCore()
theirs.setConfigurations(JSON.stringify(document))
/**
 * In flagd, a string in a numeric comparison aborts the evaluation, and the default in the application's code applies.
 */
const isOfItsType = ({ properties = {} }: Context) =>
  properties.age === undefined || !Number.isNaN(Number(properties.age))
const contexts = contextsFor(ours.document, 300).filter(isOfItsType)
const SILENT = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} }

/** Evaluates the flags for the same user in flagd. Fields that rules compare as numbers are converted to numbers. */
function answerThere(flag: string, { userId, properties = {} }: Context): string {
  const fields = Object.entries(properties).map(
    ([name, value]) => [name, name === 'age' && !Number.isNaN(Number(value)) ? Number(value) : String(value)] as const,
  )
  const context = { targetingKey: userId ?? '', ...Object.fromEntries(fields) }
  const definition = (flags as Record<string, { variants?: Record<string, unknown>; defaultVariant?: unknown }>)[flag]
  const type = typeof Object.values(definition?.variants ?? {})[0]
  const NONE = '(default of the code)'
  try {
    const details = theirs.resolveAll(context as never, SILENT).find(({ flagKey }) => flagKey === flag)
    if (details === undefined || details.errorCode !== undefined || details.value === undefined) return 'off'
    if (type === 'boolean' && definition?.defaultVariant !== null) return details.value === true ? 'on' : 'off'
    return JSON.stringify(details.value) ?? NONE
  } catch {
    return 'off'
  }
}

describe('flagd', () => {
  test('there are enough contexts, and they matter', () => {
    expect(contexts.length).toBeGreaterThan(300)
    expect(ours.warnings).toEqual([])
    const answers = new Set(contexts.map((context) => ours.answer('the first that applies', context)))
    expect(answers.size).toBe(2)
  })

  test.each([
    ...Object.keys(EXACT).map((flag) => ({ flag, fidelity: 'exact' })),
    ...Object.keys(LOOSE).map((flag) => ({ flag, fidelity: 'approximated' })),
  ])('$flag: the same decisions, reported as $fidelity', ({ flag, fidelity }) => {
    expect(fidelityOf(installation, flag)).toBe(fidelity)
    const different = contexts.filter((context) => ours.answer(flag, context) !== answerThere(flag, context))
    expect(
      different
        .slice(0, 1)
        .map((context) => ({ context, here: ours.answer(flag, context), there: answerThere(flag, context) })),
    ).toEqual([])
  })

  test.each(Object.entries(SHARED))('%s: as many people, others', (flag, { percent }) => {
    expect(fidelityOf(installation, flag)).toBe('approximated')
    expect(installation.notes.find(({ name }) => name.startsWith(`${flag} in`))?.words).toMatch(
      `${percent} % stay ${percent} %, but other people`,
    )
    const people = Array.from({ length: 3000 }, (_, at) => ({ userId: `p-${at}`, properties: { plan: 'paid' } }))
    const share = people.filter((person) => ours.answer(flag, person) === 'on').length / people.length
    expect(share).toBeGreaterThan(percent / 100 - 0.03)
    expect(share).toBeLessThan(percent / 100 + 0.03)
  })

  test.each(Object.entries(OFF))('%s: off, with the reason', (flag, [, why]) => {
    expect(fidelityOf(installation, flag)).toBe('not carried')
    expect(installation.notes.find(({ name }) => name.startsWith(`${flag} in`))?.words).toMatch(why)
    expect(new Set(contexts.map((context) => ours.answer(flag, context)))).toEqual(new Set(['off']))
  })

  test('the import turns no flag on for a context that had it off', () => {
    const opened = Object.keys(OFF).filter((flag) =>
      contexts.some((context) => ours.answer(flag, context) === 'on' && answerThere(flag, context) === 'off'),
    )
    expect(opened).toEqual([])
  })

  test('the time, to the second', async () => {
    const seconds = NOW / 1000
    const at = (operator: string, bound: number) => ({
      ...SWITCH,
      targeting: { if: [{ [operator]: [{ var: '$flagd.timestamp' }, bound] }, 'on'] },
    })
    const timed = asker(
      await readAs(createFlagdSource, {
        flags: {
          a: at('>', seconds - 1),
          b: at('>', seconds),
          c: at('>=', seconds),
          d: at('<', seconds),
          e: at('<=', seconds),
        },
      }),
    )
    expect(['a', 'b', 'c', 'd', 'e'].map((flag) => timed.answer(flag, {}))).toEqual(['on', 'off', 'on', 'off', 'on'])
  })

  test('fields read by flags become context fields', () => {
    expect(installation.contextFields.map(({ name }) => name)).toEqual(['age', 'app', 'country', 'email', 'plan'])
    expect(installation.environments.map(({ name }) => name)).toEqual(['production'])
    expect(installation.projects.map(({ id }) => id)).toEqual(['shop'])
  })

  test.each<[what: string, document: unknown, says: RegExp]>([
    ['no flags', { flag: {} }, /no object "flags": is it a file of flagd/],
    ['a flag that is none', { flags: { a: 1 } }, /flags\.a of .* is not an object/],
    ['no JSON', '{"flags"', /neither JSON nor YAML/],
  ])('%s', async (_, bad, says) => {
    await expect(readAs(createFlagdSource, bad)).rejects.toThrow(says)
  })

  test('shared expressions that name each other twice are read no further than a bound', async () => {
    const $evaluators = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [
        `e${at}`,
        at % 2 === 0
          ? { if: [{ $ref: `c${at}` }, { $ref: `e${at + 1}` }, { $ref: `e${at + 1}` }] }
          : { if: [true, { $ref: `e${at + 1}` }, { $ref: `e${at + 1}` }] },
      ]),
    )
    const conditions = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`c${at}`, { and: [{ $ref: `c${at + 1}` }, { $ref: `c${at + 1}` }] }]),
    )
    const self = { and: [{ $ref: 'self' }, { $ref: 'self' }] }
    const bomb = { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on' }
    const read = await readAs(createFlagdSource, {
      $evaluators: { ...$evaluators, ...conditions, self },
      flags: {
        branches: { ...bomb, targeting: { $ref: 'e0' } },
        conditions: { ...bomb, targeting: { if: [{ $ref: 'c0' }, 'on', 'off'] } },
        itself: { ...bomb, targeting: { if: [{ $ref: 'self' }, 'on', 'off'] } },
      },
    })
    for (const flag of read.flags) {
      expect([flag.name, flag.states[0]?.enabled, fidelityOf(read, flag.name)]).toEqual([
        ...[flag.name, false, 'not carried'],
      ])
    }
  })

  test('a comparison with null has a note that the field is a text', async () => {
    const read = await readAs(createFlagdSource, { flags: { f: given(is('zip', null)) } })
    expect(read.notes.map(({ words }) => words).join()).toContain('while contexts have "zip" as a text')
  })

  test('YAML', async () => {
    const read = await readAs(
      createFlagdSource,
      'flags:\n  a:\n    state: ENABLED\n    variants: {on: true, off: false}\n    defaultVariant: on\n',
    )
    expect(read.flags.map(({ name }) => name)).toEqual(['a'])
  })
})
