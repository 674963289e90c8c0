import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import { describe, expect, test } from 'vitest'
import { compareDecisions } from './compare-decisions.ts'
import { listDefinitionDifferences } from './definition-difference.ts'

type Raw = Record<string, unknown>

const NAMES = { a: 'old', b: 'new' }
const ASKED = { contexts: 20, seed: 1, nowMs: Date.parse('2026-01-01T00:00:00Z') }

function documentOf(features: Raw[], segments: Raw[] = []): FeatureDocument {
  return { version: 2, features, segments } as unknown as FeatureDocument
}

const flag = (parts: Raw): Raw => ({ name: 'f', enabled: true, strategies: [], ...parts })
const ruled = (...constraints: Raw[]): Raw => flag({ strategies: [{ name: 'default', constraints }] })
const rolled = (parameters: Raw, more: Raw = {}): Raw =>
  flag({ strategies: [{ name: 'flexibleRollout', parameters, ...more }] })
const SHARED = { contextName: 'plan', operator: 'IN', values: ['paid', 'trial'] }
const AGE = { contextName: 'age', operator: 'NUM_GTE', value: '18' }

describe('the same, however it is written', () => {
  test.each<[what: string, a: FeatureDocument, b: FeatureDocument]>([
    ['order of flags', documentOf([flag({}), flag({ name: 'g' })]), documentOf([flag({ name: 'g' }), flag({})])],
    [
      'a segment, and its constraints in the strategy',
      documentOf(
        [flag({ strategies: [{ name: 'default', constraints: [AGE], segments: [3] }] })],
        [{ id: 3, constraints: [SHARED] }],
      ),
      documentOf([ruled(SHARED, AGE)]),
    ],
    [
      'ids of segments',
      documentOf([flag({ strategies: [{ name: 'default', segments: [3] }] })], [{ id: 3, constraints: [SHARED] }]),
      documentOf([flag({ strategies: [{ name: 'default', segments: [9] }] })], [{ id: 9, constraints: [SHARED] }]),
    ],
    ['order of values', documentOf([ruled(SHARED)]), documentOf([ruled({ ...SHARED, values: ['trial', ' paid'] })])],
    [
      'NOT_IN and IN the other way round',
      documentOf([ruled({ ...SHARED, operator: 'NOT_IN' })]),
      documentOf([ruled({ ...SHARED, inverted: true })]),
    ],
    ['a number and its text', documentOf([ruled(AGE)]), documentOf([ruled({ ...AGE, value: 18.0, values: [] })])],
    [
      'a moment in another zone',
      documentOf([ruled({ contextName: 'currentTime', operator: 'DATE_AFTER', value: '2026-01-01T00:00:00Z' })]),
      documentOf([ruled({ contextName: 'currentTime', operator: 'DATE_AFTER', value: '2026-01-01T01:00:00+01:00' })]),
    ],
    [
      'a percentage as a number',
      documentOf([rolled({ rollout: '50', groupId: 'f' })]),
      documentOf([rolled({ rollout: 50, groupId: 'f' })]),
    ],
    ['no stickiness', documentOf([rolled({ rollout: '50', stickiness: '' })]), documentOf([rolled({ rollout: '50' })])],
    [
      'sortOrder, and the order itself',
      documentOf([
        flag({
          strategies: [
            { name: 'default', sortOrder: 9 },
            { name: 'x', sortOrder: 1 },
          ],
        }),
      ]),
      documentOf([flag({ strategies: [{ name: 'x' }, { name: 'default' }] })]),
    ],
    [
      'order of strategies without variants',
      documentOf([flag({ strategies: [{ name: 'x' }, { name: 'default' }] })]),
      documentOf([flag({ strategies: [{ name: 'default' }, { name: 'x' }] })]),
    ],
    [
      'dependencies',
      documentOf([flag({}), flag({ name: 'c', dependencies: [{ feature: 'f', enabled: true, variants: [] }] })]),
      documentOf([flag({}), flag({ name: 'c', dependencies: [{ feature: 'f' }] })]),
    ],
    [
      'a repeated dependency',
      documentOf([flag({}), flag({ name: 'c', dependencies: [{ feature: 'f' }, { feature: 'f' }] })]),
      documentOf([flag({}), flag({ name: 'c', dependencies: [{ feature: 'f' }] })]),
    ],
    [
      'no strategy, and one for everyone',
      documentOf([flag({})]),
      documentOf([flag({ strategies: [{ name: 'default' }] })]),
    ],
    [
      'what is not sent',
      documentOf([flag({ impressionData: null, stale: false, type: 'release' })]),
      documentOf([flag({})]),
    ],
  ])('%s', (_, a, b) => {
    expect(listDefinitionDifferences({ a, b }, NAMES)).toEqual([])
    expect(compareDecisions({ a, b }, ASKED).differences).toEqual([])
  })
})

/** Creates two variants. The first variant has the given weight, in thousandths. */
const halves = (weight: number) => [
  { name: 'red', weight, stickiness: 'default' },
  { name: 'blue', weight: 1000 - weight, stickiness: 'default' },
]

// these tests find differences only by evaluating both documents, without comparing definitions
describe('one bound apart, a context shows it', () => {
  const on = (contextName: string, operator: string, more: Raw) => ruled({ contextName, operator, ...more })
  test.each<[what: string, a: Raw[], b: Raw[], context?: Raw]>([
    ['NUM_GTE', [ruled(AGE)], [ruled({ ...AGE, value: '19' })], { properties: { age: '18' } }],
    ['NUM_GTE and NUM_GT', [ruled(AGE)], [ruled({ ...AGE, operator: 'NUM_GT' })], { properties: { age: '18' } }],
    ['a fraction', [ruled(AGE)], [ruled({ ...AGE, value: '18.0005' })], { properties: { age: '18' } }],
    ['IN', [ruled(SHARED)], [ruled({ ...SHARED, values: ['paid'] })], { properties: { plan: 'trial' } }],
    ['inverted', [ruled(SHARED)], [ruled({ ...SHARED, inverted: true })]],
    [
      'STR_ENDS_WITH',
      [on('mail', 'STR_ENDS_WITH', { values: ['@a.b'] })],
      [on('mail', 'STR_CONTAINS', { values: ['@a.b'] })],
    ],
    [
      'case',
      [on('mail', 'STR_CONTAINS', { values: ['ab'] })],
      [on('mail', 'STR_CONTAINS', { values: ['ab'], caseInsensitive: true })],
    ],
    [
      'a moment',
      [on('currentTime', 'DATE_AFTER', { value: '2026-02-01T00:00:00Z' })],
      [on('currentTime', 'DATE_AFTER', { value: '2026-02-01T00:00:00.001Z' })],
      { currentTime: new Date('2026-02-01T00:00:00.001Z') },
    ],
    [
      'a version',
      [on('v', 'SEMVER_GT', { value: '1.2.3' })],
      [on('v', 'SEMVER_GTE', { value: '1.2.3' })],
      { properties: { v: '1.2.3' } },
    ],
    [
      'a network',
      [on('remoteAddress', 'IN_CIDR', { values: ['10.0.0.0/24'] })],
      [on('remoteAddress', 'IN_CIDR', { values: ['10.0.0.0/25'] })],
      { remoteAddress: '10.0.0.255' },
    ],
    ['a pattern', [on('v', 'REGEX', { value: '^a+b$' })], [on('v', 'REGEX', { value: '^a+b' })]],
    [
      'users',
      [flag({ strategies: [{ name: 'userWithId', parameters: { userIds: '1,2' } }] })],
      [flag({ strategies: [{ name: 'userWithId', parameters: { userIds: '1,2,3' } }] })],
      { userId: '3' },
    ],
    ['one percent', [rolled({ rollout: '37', groupId: 'g' })], [rolled({ rollout: '38', groupId: 'g' })]],
    [
      'one percent of a field',
      [rolled({ rollout: '37', groupId: 'g', stickiness: 'tenant' })],
      [rolled({ rollout: '38', groupId: 'g', stickiness: 'tenant' })],
    ],
    ['another hash', [rolled({ rollout: '50', groupId: 'g' })], [rolled({ rollout: '50', groupId: 'h' })]],
    [
      'behind two conditions',
      [
        flag({
          strategies: [
            { name: 'flexibleRollout', parameters: { rollout: '4', groupId: 'g' }, constraints: [AGE, SHARED] },
          ],
        }),
      ],
      [
        flag({
          strategies: [
            { name: 'flexibleRollout', parameters: { rollout: '5', groupId: 'g' }, constraints: [AGE, SHARED] },
          ],
        }),
      ],
    ],
    ['shares of variants', [flag({ variants: halves(500) })], [flag({ variants: halves(490) })]],
    [
      'shares within a percentage',
      [rolled({ rollout: '10', groupId: 'g' }, { variants: halves(500) })],
      [rolled({ rollout: '10', groupId: 'g' }, { variants: halves(450) })],
    ],
    [
      'what a variant carries',
      [flag({ variants: [{ ...halves(1000)[0], payload: { type: 'string', value: '1' } }] })],
      [flag({ variants: [{ ...halves(1000)[0], payload: { type: 'number', value: '1' } }] })],
    ],
    [
      'a parent',
      [ruled(AGE), flag({ name: 'c', dependencies: [{ feature: 'f' }] })],
      [ruled({ ...AGE, value: '19' }), flag({ name: 'c', dependencies: [{ feature: 'f' }] })],
    ],
    ['the switch', [flag({})], [flag({ enabled: false })]],
    ['a flag that is missing', [flag({})], []],
  ])('%s', (_, a, b, context) => {
    const documents = { a: documentOf(a), b: documentOf(b) }
    const { differences } = compareDecisions(documents, { ...ASKED, contexts: 0 })
    const [first] = differences
    expect(first?.flag).toBe('f')
    expect(first?.why.a.known && first.why.b.known ? 'asked' : 'missing').toBe(b.length === 0 ? 'missing' : 'asked')
    const answers = [first?.why.a, first?.why.b].map((why) => JSON.stringify([why?.isEnabled, why?.variant]))
    expect(answers[0]).not.toBe(answers[1])
    if (context !== undefined) expect(first?.context).toMatchObject(context)
    expect(listDefinitionDifferences(documents, NAMES).map(({ flag: name }) => name)).toContain('f')
  })

  test('the same seed chooses the same contexts, another one others', () => {
    const documents = { a: documentOf([rolled({ rollout: '37' })]), b: documentOf([rolled({ rollout: '38' })]) }
    const context = (seed: number) => compareDecisions(documents, { ...ASKED, seed }).differences[0]?.context
    expect(context(1)).toEqual(context(1))
    expect(context(2)).not.toEqual(context(1))
  })
})

describe('definitions that differ, in words', () => {
  test.each<[a: Raw[], b: Raw[], says: string]>([
    [[ruled(AGE)], [ruled({ ...AGE, value: '19' })], 'strategy 1, constraints 1, operand: old has 18, new has 19'],
    [
      [flag({ dependencies: [{ feature: 'parent' }] })],
      [flag({ dependencies: [{ feature: 'parent', enabled: false }] })],
      'dependencies 1, enabled: old has true, new has false',
    ],
    [
      [flag({ dependencies: [{ feature: 'parent' }] })],
      [flag({ dependencies: [{ feature: 'other' }] })],
      'dependencies 1, feature: old has "parent", new has "other"',
    ],
    [
      [flag({ dependencies: [{ feature: 'parent', variants: ['a'] }] })],
      [flag({ dependencies: [{ feature: 'parent', variants: ['b'] }] })],
      'dependencies 1, variants 1: old has "a", new has "b"',
    ],
    [
      [flag({ dependencies: [{ feature: 'parent' }] })],
      [flag({})],
      'dependencies: old has [{"feature":"parent","enabled":true,"variants":[]}], new has []',
    ],
    [[flag({})], [], 'new does not have it'],
    [[flag({})], [flag({ enabled: false })], 'switch: old has true, new has false'],
    [
      [ruled(AGE)],
      [flag({ strategies: [{ name: 'default' }, { name: 'x' }] })],
      'number of strategies: old has 1, new has 2',
    ],
    [[flag({})], [flag({ strategies: [{ name: 'x' }] })], 'strategy 1, name: old has "default", new has "x"'],
    [[flag({ stale: true })], [flag({ stale: false })], 'stale: old has "true", new has "false"'],
    [
      [flag({ strategies: [{ name: 'default', variants: halves(1) }, { name: 'x' }] })],
      [flag({ strategies: [{ name: 'x' }, { name: 'default', variants: halves(1) }] })],
      'the strategies are in another order, and one of them has variants',
    ],
    [
      [flag({ strategies: [{ name: 'default', segments: [1] }] })],
      [flag({ strategies: [{ name: 'default' }] })],
      'strategy 1, constraints: old has ["never: its segment does not exist"], new has []',
    ],
  ])('%j and %j', (a, b, says) => {
    expect(listDefinitionDifferences({ a: documentOf(a), b: documentOf(b) }, NAMES)).toEqual([{ flag: 'f', says }])
  })
})
