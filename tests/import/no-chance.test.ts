import { createFlagdSource } from '@burgee/import/flagd/flagd-source'
import { createFlagsmithSource } from '@burgee/import/flagsmith/flagsmith-source'
import { createLaunchDarklySource } from '@burgee/import/launchdarkly/launchdarkly-source'
import { FlagdCore } from '@openfeature/flagd-core'
import { describe, expect, test } from 'vitest'
import { answersByChance, asker, fidelityOf, readAs } from './asked.ts'

/**
 * Percentages depend on a context field. If a context lacks this field, the sources return a fixed value, never a
 * random value.
 */
const HALVES = [
  ['red', 50],
  ['blue', 50],
]
const COLOURS = { state: 'ENABLED', variants: { red: 'r', blue: 'b', green: 'g' }, defaultVariant: 'green' }

describe('shares of flagd without their field', () => {
  test.each<[name: string, targeting: object]>([
    ['the field of the key', { fractional: HALVES }],
    ['a named field', { fractional: [{ var: 'org' }, ...HALVES] }],
    ['the shorthand without weights', { fractional: [['red'], ['blue']] }],
    [
      'relative weights',
      {
        fractional: [
          ['red', 1],
          ['blue', 3],
        ],
      },
    ],
    [
      'weights that are all 0',
      {
        fractional: [
          ['red', 0],
          ['blue', 0],
        ],
      },
    ],
    ['one share for all', { fractional: [['red', 100]] }],
    ['within a condition', { if: [{ '!=': [{ var: 'plan' }, 'free'] }, { fractional: HALVES }, 'red'] }],
  ])('%s: the default variant, as in its engine', async (_, targeting) => {
    const document = { flags: { f: { ...COLOURS, targeting } } }
    const core = new FlagdCore()
    core.setConfigurations(JSON.stringify(document))
    const { value } = core.resolveStringEvaluation('f', 'g', { plan: 'paid' })
    const read = await readAs(createFlagdSource, document)
    expect([value, answersByChance(read, 'f', { properties: { plan: 'paid' } })]).toEqual(['g', ['"g"']])
  })

  test.each<[name: string, shares: unknown[]]>([
    [
      'a computed weight',
      [
        ['red', { '*': [1, 50] }],
        ['blue', 50],
      ],
    ],
    [
      'a computed name',
      [
        [{ var: 'name' }, 50],
        ['blue', 50],
      ],
    ],
  ])('%s is off and reported', async (_, shares) => {
    const read = await readAs(createFlagdSource, { flags: { f: { ...COLOURS, targeting: { fractional: shares } } } })
    expect([asker(read).answer('f', { userId: '1' }), fidelityOf(read, 'f')]).toEqual(['off', 'not carried'])
  })
})

const ENDS = { version: 1, salt: 's', trackEvents: false }
const LD = {
  ...ENDS,
  key: 'f',
  on: true,
  variations: ['a', 'b', 'c'],
  offVariation: 2,
  targets: [],
  rules: [],
  prerequisites: [],
}

describe('LaunchDarkly', () => {
  test.each([
    [[50_000, 50_000], '"a"'],
    [[0, 50_000, 50_000], '"b"'],
  ])('a rollout of %j without its attribute: the first variation that has a share', async (weights, answer) => {
    const variations = weights.map((weight, variation) => ({ variation, weight }))
    const flag = { ...LD, fallthrough: { rollout: { variations, bucketBy: 'org' } } }
    const read = await readAs(createLaunchDarklySource, { flags: { f: flag }, segments: {} })
    expect(answersByChance(read, 'f', { userId: '1' })).toEqual([answer])
  })

  test.each([['v2.0.0'], [2]])('a clause for the version %j matches no one', async (value) => {
    const clause = { attribute: 'app', op: 'semVerEqual', values: [value], negate: false }
    const flag = { ...LD, rules: [{ id: 'r', variation: 0, clauses: [clause] }], fallthrough: { variation: 1 } }
    const read = await readAs(createLaunchDarklySource, { flags: { f: flag }, segments: {} })
    for (const app of ['v2.0.0', '2.0.0', '2']) {
      expect([app, asker(read).answer('f', { userId: '1', properties: { app } })]).toEqual([app, '"b"'])
    }
  })
})

test('a version with a "v" in a context of LaunchDarkly matches no clause, and one with blanks does', async () => {
  const clause = { attribute: 'app', op: 'semVerEqual', values: ['2.0.0'], negate: false }
  const flag = { ...LD, rules: [{ id: 'r', variation: 0, clauses: [clause] }], fallthrough: { variation: 1 } }
  const read = await readAs(createLaunchDarklySource, { flags: { f: flag }, segments: {} })
  const answers = ['2.0.0', 'v2.0.0', ' 2.0.0'].map((app) => asker(read).answer('f', { properties: { app } }))
  expect(answers).toEqual(['"a"', '"b"', '"a"'])
})

test('options of Flagsmith without an identity: the control value', async () => {
  const option = { percentage_allocation: 50, multivariate_feature_option: { value: 'a' } }
  const state = {
    feature: { id: 1, name: 'f' },
    enabled: true,
    feature_state_value: 'control',
    multivariate_feature_state_values: [option],
  }
  const read = await readAs(createFlagsmithSource, { feature_states: [state], project: { segments: [] } })
  expect(answersByChance(read, 'f', { sessionId: '1', remoteAddress: '10.0.0.1' })).toEqual(['"control"'])
})
