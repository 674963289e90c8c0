import { createFlagdSource } from '@burgee/import/flagd/flagd-source'
import { createLaunchDarklySource } from '@burgee/import/launchdarkly/launchdarkly-source'
import {
  createClientFeaturesSource,
  createUnleashExportSource,
  createUnleashStateSource,
} from '@burgee/import/unleash/documents/unleash-files'
import { describe, expect, test } from 'vitest'
import { asker, fidelityOf, readAs } from './asked.ts'

const AGE = { contextName: 'age', operator: 'NUM_GT', value: '17' }
const COUNTRY = { contextName: 'country', operator: 'IN', values: ['no'] }
const VARIANT = { name: 'red', weight: 1000, weightType: 'variable', stickiness: 'userId' }
const PARAMETERS = { rollout: '50', stickiness: 'userId', groupId: 'shop' }
const STRATEGY = { parameters: PARAMETERS, constraints: [COUNTRY, AGE], variants: [VARIANT], segments: [1] }
const SEGMENT = { id: 1, name: 'paid', constraints: [COUNTRY] }

type Json = Readonly<Record<string, unknown>>

/** Parts of a document that decide a flag, each with replacements for its properties. */
interface Parts {
  readonly feature?: Json
  readonly state?: Json
  readonly strategy?: Json
  readonly segment?: Json
}

/** Writers of the same flag in every kind of document, with the source that reads the document. */
const KINDS: Record<string, (parts: Parts) => Promise<unknown>> = {
  'a download': ({ feature, state, strategy, segment }) =>
    readAs(createClientFeaturesSource, {
      version: 2,
      features: [
        {
          name: 'shop',
          enabled: true,
          strategies: [{ name: 'flexibleRollout', ...STRATEGY, ...strategy }],
          ...feature,
          ...state,
        },
      ],
      segments: [{ ...SEGMENT, ...segment }],
    }),
  'a state of version 2': ({ feature, state, strategy }) =>
    readAs(({ path }, clock) => createUnleashStateSource({ path }, clock), {
      version: 2,
      features: [
        {
          name: 'shop',
          enabled: true,
          strategies: [{ name: 'flexibleRollout', ...STRATEGY, segments: [], ...strategy }],
          ...feature,
          ...state,
        },
      ],
      projects: [],
      tagTypes: [],
      tags: [],
      featureTags: [],
    }),
  'a state of version 4': ({ feature, state, strategy, segment }) => {
    const { segments: _, ...own } = STRATEGY
    const row = { id: 's', featureName: 'shop', environment: 'production', strategyName: 'flexibleRollout' }
    return readAs(({ path }, clock) => createUnleashStateSource({ path }, clock), {
      version: 4,
      features: [{ name: 'shop', ...feature }],
      featureEnvironments: [{ featureName: 'shop', environment: 'production', enabled: true, ...state }],
      featureStrategies: [{ ...row, ...own, ...strategy }],
      featureStrategySegments: [{ featureStrategyId: 's', segmentId: 1 }],
      segments: [{ ...SEGMENT, ...segment }],
    })
  },
  'an export': ({ feature, state, strategy, segment }) =>
    readAs(createUnleashExportSource, {
      features: [{ name: 'shop', ...feature }],
      featureEnvironments: [{ featureName: 'shop', name: 'shop', environment: 'production', enabled: true, ...state }],
      featureStrategies: [{ id: 's', featureName: 'shop', name: 'flexibleRollout', ...STRATEGY, ...strategy }],
      segments: [{ ...SEGMENT, ...segment }],
      dependencies: [],
    }),
}

const constraint = (more: object) => ({ strategy: { constraints: [{ ...COUNTRY, ...more }] } })
const parameter = (more: object) => ({ strategy: { parameters: { ...PARAMETERS, ...more } } })
const variant = (more: object) => ({ strategy: { variants: [{ ...VARIANT, ...more }] } })

/** Values that engines read differently, each with the end of the path that the error names. */
const WRONG: readonly (readonly [what: string, parts: Parts, place: string])[] = [
  ['a state as text', { state: { enabled: 'true' } }, 'enabled'],
  ['a state as number', { state: { enabled: 1 } }, 'enabled'],
  ['an inversion as text', constraint({ inverted: 'false' }), 'constraints/0/inverted'],
  ['an inversion as number', constraint({ inverted: 1 }), 'constraints/0/inverted'],
  ['a case as text', constraint({ caseInsensitive: 'no' }), 'constraints/0/caseInsensitive'],
  ['constraints as text', { strategy: { constraints: 'null' } }, 'constraints'],
  ['constraints as false', { strategy: { constraints: false } }, 'constraints'],
  ['a constraint that is null', { strategy: { constraints: [null] } }, 'constraints/0'],
  ['a constraint without an operator', constraint({ operator: null }), 'constraints/0/operator'],
  ['a number that is null', { strategy: { constraints: [{ ...AGE, value: null }] } }, 'constraints/0'],
  ['a number as list', { strategy: { constraints: [{ ...AGE, value: [18] }] } }, 'constraints/0/value'],
  ['values as text', constraint({ values: 'no' }), 'constraints/0/values'],
  ['a value as list', constraint({ values: [['no']] }), 'constraints/0/values/0'],
  ['a group that is null', parameter({ groupId: null }), 'parameters/groupId'],
  ['a group that is 0', parameter({ groupId: 0 }), 'parameters/groupId'],
  ['a group as list', parameter({ groupId: ['shop'] }), 'parameters/groupId'],
  ['a stickiness that is false', parameter({ stickiness: false }), 'parameters/stickiness'],
  ['a rollout as list', parameter({ rollout: ['50'] }), 'parameters/rollout'],
  ['parameters as list', { strategy: { parameters: [{ rollout: '50' }] } }, 'parameters'],
  ['a weight as text', variant({ weight: '300' }), 'variants/0/weight'],
  ['a weight that is missing', variant({ weight: undefined }), 'variants/0'],
  ['a payload as text', variant({ payload: 'red' }), 'variants/0/payload'],
  ['a payload without a value', variant({ payload: { type: 'string' } }), 'variants/0/payload'],
  ['a payload with a number', variant({ payload: { type: 'number', value: 5 } }), 'variants/0/payload/value'],
  ['overrides of no field', variant({ overrides: [{ values: ['1'] }] }), 'variants/0/overrides/0'],
  ['variants as text', { state: { variants: 'red' } }, 'variants'],
]

/** Values that only some documents can hold. */
const WRONG_IN_SOME: readonly (readonly [kind: string, what: string, parts: Parts, place: string])[] = [
  ['a download', 'strategies as text', { feature: { strategies: 'default' } }, 'strategies'],
  ['a download', 'a strategy that is null', { feature: { strategies: [null] } }, 'strategies/0'],
  ['a download', 'a name as list', { strategy: { name: ['default'] } }, 'strategies/0/name'],
  ['a download', 'segments as number', { strategy: { segments: 1 } }, 'strategies/0/segments'],
  ['a download', 'a segment as text', { strategy: { segments: ['1'] } }, 'strategies/0/segments/0'],
  ['a download', 'a segment without an id', { segment: { id: null } }, 'segments/0/id'],
  ['a download', 'parents as text', { feature: { dependencies: 'other' } }, 'dependencies'],
  ['a download', 'a parent that is null', { feature: { dependencies: [null] } }, 'dependencies/0'],
  ['a download', 'a parent as list', { feature: { dependencies: [{ feature: ['b'] }] } }, 'dependencies/0/feature'],
  [
    'a download',
    'variants of a parent as text',
    { feature: { dependencies: [{ feature: 'b', variants: 'x' }] } },
    'dependencies/0/variants',
  ],
  ['a state of version 4', 'a time of archival as list', { feature: { archivedAt: [] } }, 'features/0/archivedAt'],
  ['an export', 'a name as list', { strategy: { name: ['default'] } }, 'featureStrategies/0/name'],
  ['an export', 'a segment as text', { strategy: { segments: ['1'] } }, 'featureStrategies/0/segments/0'],
]

const rejects = async (kind: string, parts: Parts, place: string) => {
  await expect(KINDS[kind]?.(parts)).rejects.toThrow(new RegExp(`${place} of .* is missing or has another type`))
}

describe.each(Object.keys(KINDS))('%s is rejected with', (kind) => {
  test.each(WRONG)('%s', (_, parts, place) => rejects(kind, parts, place))
})

test.each(WRONG_IN_SOME)('%s is rejected with %s', (kind, _, parts, place) => rejects(kind, parts, place))

/** Values that old documents contain, and that every engine reads alike. */
const OLD: readonly (readonly [what: string, parts: Parts])[] = [
  ['a rollout as number', parameter({ rollout: 50 })],
  ['a parameter that is null', parameter({ other: null })],
  ['values that are null', { strategy: { constraints: [{ ...AGE, values: null }] } }],
  ['an unused value that is null', constraint({ value: null })],
  ['constraints that are null', { strategy: { constraints: null } }],
  ['a payload that is null', variant({ payload: null })],
]

describe.each(Object.keys(KINDS))('%s is imported with', (kind) => {
  test.each(OLD)('%s', async (_, parts) => {
    await expect(KINDS[kind]?.(parts)).resolves.toMatchObject({ flags: [{ name: 'shop' }] })
  })
})

test('a download with a disabled strategy is rejected, because SDKs evaluate it', async () => {
  const reading = KINDS['a download']?.({ strategy: { disabled: true } })
  await expect(reading).rejects.toThrow(/strategies\/0 of .* must not have disabled/)
})

test.each([null, 2.5, '4'])('a state of the version %j is rejected or read as the newest', async (version) => {
  const document = { version, features: [{ name: 'shop' }], featureEnvironments: [], featureStrategies: [] }
  const reading = readAs(({ path }, clock) => createUnleashStateSource({ path }, clock), document)
  if (version === null) await expect(reading).resolves.toMatchObject({ flags: [{ states: [] }] })
  else await expect(reading).rejects.toThrow(/versions 1 to 4 are supported/)
})

test('lists that are null are absent', async () => {
  const lists = { features: null, featureEnvironments: null, featureStrategies: null, segments: null, tags: null }
  const reading = readAs(({ path }, clock) => createUnleashStateSource({ path }, clock), { version: 4, ...lists })
  await expect(reading).resolves.toMatchObject({ flags: [] })
})

test('a strategy of an export with two names has the name of its type', async () => {
  const reading = readAs(createUnleashExportSource, {
    features: [{ name: 'shop' }],
    featureEnvironments: [{ featureName: 'shop', environment: 'production', enabled: true }],
    featureStrategies: [{ id: 's', featureName: 'shop', name: 'default', strategyName: 'unheard' }],
    segments: [],
    dependencies: [],
  })
  expect(asker(await reading).answer('shop', {})).toBe('off')
})

const LAUNCHDARKLY = { version: 1, salt: 's', on: true, variations: [true, false], fallthrough: { variation: 0 } }
const SEGMENT_OF_LAUNCHDARKLY = { version: 1, salt: 's', included: ['1'] }
const withFlag = (more: object) => ({ flags: { shop: { key: 'shop', ...LAUNCHDARKLY, ...more } } })
const withSegment = (more: object) => ({
  ...withFlag({}),
  segments: { paid: { key: 'paid', ...SEGMENT_OF_LAUNCHDARKLY, ...more } },
})

test.each<[what: string, document: object, says: RegExp]>([
  ['another key than its name', withFlag({ key: 'other' }), /"key" of flags\.shop of .* must be "shop"/],
  ['a key that is null', withFlag({ key: null }), /"key" of flags\.shop of .* must be "shop"/],
  ['a marker of deletion as text', withFlag({ deleted: 'true' }), /"deleted" of shop is not true or false/],
  ['a marker of deletion as number', withFlag({ deleted: 1 }), /"deleted" of shop is not true or false/],
  ['a segment with another key', withSegment({ key: 'free' }), /"key" of segments\.paid of .* must be "paid"/],
  ['a deleted segment as list', withSegment({ deleted: [] }), /"deleted" of paid is not true or false/],
])('a file of LaunchDarkly is rejected with %s', async (_, document, says) => {
  await expect(readAs(createLaunchDarklySource, document)).rejects.toThrow(says)
})

const FLAGD = { state: 'ENABLED', variants: { x: 'X', y: 'Y' }, defaultVariant: 'x' }

test('a file of flagd is rejected with a variant that is null', async () => {
  const document = { flags: { shop: { ...FLAGD, variants: { ...FLAGD.variants, y: null } } } }
  await expect(readAs(createFlagdSource, document)).rejects.toThrow(/"variants\.y" of flags\.shop of .* is null/)
})

test.each<[what: string, targeting: object]>([
  ['without a list', { if: 'y' }],
  ['with null', { if: null }],
  ['within another, without a list', { if: [{ '==': [{ var: 'plan' }, 'paid'] }, 'y', { if: 'x' }] }],
])('branches of flagd %s are off and reported', async (_, targeting) => {
  const installation = await readAs(createFlagdSource, { flags: { shop: { ...FLAGD, targeting } } })
  expect(asker(installation).answer('shop', {})).toBe('off')
  expect(fidelityOf(installation, 'shop')).not.toBe('exact')
})
