import type { FeatureDocument } from '@burgee/engine'
import * as fc from 'fast-check'
import { KINDS, type Kind, maybe, sometimesJunk, textOfKind, userIds } from './arbitrary-values.ts'

/** Operators by the kind of value they compare: all 19 of the client-specification 6.1. */
const OPERATORS: Readonly<Record<Kind, readonly string[]>> = {
  text: ['IN', 'NOT_IN', 'STR_STARTS_WITH', 'STR_ENDS_WITH', 'STR_CONTAINS'],
  number: ['NUM_EQ', 'NUM_GT', 'NUM_GTE', 'NUM_LT', 'NUM_LTE'],
  date: ['DATE_AFTER', 'DATE_BEFORE'],
  version: ['SEMVER_EQ', 'SEMVER_GT', 'SEMVER_GTE', 'SEMVER_LT', 'SEMVER_LTE'],
  pattern: ['REGEX'],
  address: ['IN_CIDR'],
}

/** Kind of the context value an operator looks at. */
const SUBJECT: Readonly<Record<Kind, Kind>> = {
  text: 'text',
  number: 'number',
  date: 'date',
  version: 'version',
  pattern: 'text',
  address: 'address',
}

const FIELD_NAMES = [
  'userId',
  'sessionId',
  'remoteAddress',
  'appName',
  'environment',
  'missing',
  '',
  'properties',
  'currentTime',
  ...KINDS,
]
const SEGMENT_IDS = [1, 2, 3, 4]

/** Flag names of a document: few, so that duplicates and parents occur; integer-like and odd ones among them. */
export const FLAG_NAMES = ['f', 'g', 'h', 'parent', 'root', '42', '7', '用户', 'a b', '', '__proto__', 'constructor']

const constraint = fc.constantFrom(...KINDS, 'text' as const).chain((kind) =>
  sometimesJunk(
    fc.record(
      {
        contextName: sometimesJunk(
          fc.oneof(
            { weight: 7, arbitrary: fc.constant(SUBJECT[kind]) },
            { weight: 2, arbitrary: fc.constantFrom(...FIELD_NAMES) },
          ),
        ),
        operator: fc.oneof(
          { weight: 40, arbitrary: fc.constantFrom(...OPERATORS[kind]) },
          { weight: 1, arbitrary: fc.constantFrom('', 'in', 'NOPE', 'constructor', null) },
        ),
        values: sometimesJunk(valuesOf(kind)),
        value: valueOf(kind),
        inverted: maybe(sometimesJunk(fc.boolean()), 2),
        caseInsensitive: maybe(sometimesJunk(fc.boolean()), 2),
      },
      { requiredKeys: ['contextName', 'operator', 'values', 'value'] },
    ),
    200,
  ),
)

/** A list as a pattern is left out: the SDK hands it to its regular-expression library, which reads it as characters. */
function valueOf(kind: Kind): fc.Arbitrary<unknown> {
  const value = sometimesJunk(textOfKind(kind), 25)
  return kind === 'pattern' ? value.filter((pattern) => !Array.isArray(pattern)) : value
}

function valuesOf(kind: Kind): fc.Arbitrary<unknown[]> {
  const value = fc.oneof(
    { weight: 60, arbitrary: textOfKind(kind) as fc.Arbitrary<unknown> },
    { weight: 1, arbitrary: fc.constantFrom(null, 0, 5, false) },
  )
  return fc.oneof(
    { weight: 20, arbitrary: fc.array(value, { maxLength: 6 }) },
    {
      weight: 1,
      arbitrary: fc
        .array(value, { minLength: 1, maxLength: 3 })
        .map((some) => Array.from({ length: 2000 }, (_, i) => some[i] ?? `v${i}`)),
    },
  )
}

const constraints = sometimesJunk(fc.array(constraint, { maxLength: 2 }), 80)

const segment = fc.record({
  id: fc.constantFrom<unknown>(...SEGMENT_IDS.slice(0, 3), '1'),
  name: fc.constant('s'),
  constraints,
})

const stickiness = fc.constantFrom<unknown>(
  'default',
  'userId',
  'sessionId',
  'random',
  'text',
  'number',
  'missing',
  '',
  undefined,
  undefined,
  null,
  'remoteAddress',
)

const percentage = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 0, max: 100 }).map(String) },
  {
    weight: 4,
    arbitrary: fc.constantFrom<unknown>(
      '100',
      '50',
      '0',
      '33.3',
      ' 50 ',
      '1e2',
      '200',
      '',
      'x',
      '-1',
      'Infinity',
      50,
      null,
    ),
  },
)

const groupId = sometimesJunk(fc.constantFrom<unknown>('g', 'f', '用户', '', undefined, 'group'), 30)

const ids = fc.array(
  fc.oneof(
    userIds(),
    fc.nat({ max: 99 }).map((n) => `u${n}`),
    textOfKind('text'),
  ),
  { maxLength: 60 },
)
const joined = (items: fc.Arbitrary<string[]>) =>
  fc.tuple(items, fc.constantFrom(',', ', ', ' , ', ',,')).map(([list, comma]) => list.join(comma))

const strategyTest = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      name: fc.constant('default'),
      parameters: sometimesJunk(fc.record({ stickiness, groupId }, { requiredKeys: [] }), 10),
    }),
  },
  {
    weight: 8,
    arbitrary: named(
      'flexibleRollout',
      fc.record({ rollout: percentage, stickiness, groupId }, { requiredKeys: ['rollout'] }),
    ),
  },
  { weight: 2, arbitrary: named('userWithId', fc.record({ userIds: sometimesJunk(joined(ids)) })) },
  {
    weight: 2,
    arbitrary: named(
      'remoteAddress',
      fc.record({ IPs: sometimesJunk(joined(fc.array(textOfKind('address'), { maxLength: 8 }))) }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom('gradualRolloutUserId', 'gradualRolloutSessionId')
      .chain((name) => named(name, fc.record({ percentage, groupId }))),
  },
  { weight: 1, arbitrary: named('gradualRolloutRandom', fc.record({ percentage })) },
  {
    weight: 1,
    arbitrary: named(
      'applicationHostname',
      fc.record({ hostNames: fc.constantFrom('', 'a,BURGEE-test', ' burgee-test', 'x , burgee-TEST , y', 'b') }),
    ),
  },
  { weight: 1, arbitrary: named('custom', fc.constant({})) },
)

function named(name: string, parameters: fc.Arbitrary<object>): fc.Arbitrary<{ name: string; parameters: unknown }> {
  return fc.record({ name: fc.constant(name), parameters: sometimesJunk(parameters, 80) })
}

/** Weights that are texts are left out: the SDK glues them together, which nobody should imitate. */
const weight = fc.oneof(
  { weight: 10, arbitrary: fc.constantFrom<unknown>(0, 1, 1, 2, 333, 500, 1000) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(0.5, 0.3, 33.3, -1, null, undefined, true) },
)

const override = sometimesJunk(
  fc.record({
    contextName: fc.constantFrom('text', 'userId', 'number', 'missing'),
    values: sometimesJunk(
      fc.array(
        fc.oneof(
          textOfKind('text'),
          textOfKind('number'),
          fc.nat({ max: 99 }).map((n) => `u${n}`),
        ),
        { maxLength: 12 },
      ),
    ),
  }),
  100,
)

const variant = fc.record(
  {
    name: fc.constantFrom('a', 'b', 'c', 'disabled', '用'),
    weight,
    stickiness: sometimesJunk(stickiness),
    payload: maybe(
      fc.constantFrom<unknown>(
        { type: 'string', value: 'x' },
        { type: 'json', value: '{}' },
        { type: 'number', value: 5 },
        null,
        0,
      ),
    ),
    overrides: sometimesJunk(fc.array(override, { maxLength: 2 }), 40),
  },
  { requiredKeys: ['name', 'weight'] },
)

const variants = sometimesJunk(fc.array(variant, { maxLength: 4 }), 80)

const strategy = sometimesJunk(
  fc
    .record(
      {
        constraints: fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, { weight: 3, arbitrary: constraints }),
        segments: fc.oneof(
          { weight: 8, arbitrary: fc.constant(undefined) },
          { weight: 2, arbitrary: sometimesJunk(fc.array(fc.constantFrom(...SEGMENT_IDS), { maxLength: 2 })) },
        ),
        variants: maybe(variants, 2),
        disabled: maybe(fc.boolean(), 5),
      },
      { requiredKeys: [] },
    )
    .chain((parts) => strategyTest.map((own) => ({ ...own, ...parts }))),
  150,
)

const dependency = sometimesJunk(
  fc.record(
    {
      feature: fc.constantFrom(...FLAG_NAMES.slice(0, 6), 'absent'),
      enabled: maybe(sometimesJunk(fc.boolean(), 20), 3),
      variants: maybe(fc.array(fc.constantFrom('a', 'b', 'disabled'), { maxLength: 3 }), 2),
    },
    { requiredKeys: ['feature'] },
  ),
  60,
)

const feature = fc.record(
  {
    name: fc.constantFrom(...FLAG_NAMES),
    enabled: sometimesJunk(fc.constantFrom(true, true, true, true, true, true, false)),
    strategies: sometimesJunk(
      fc.oneof(
        { weight: 12, arbitrary: fc.array(strategy, { minLength: 1, maxLength: 3 }) },
        { weight: 1, arbitrary: fc.constant([]) },
      ),
    ),
    variants: maybe(variants, 4),
    dependencies: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom<unknown>(undefined, []) },
      { weight: 1, arbitrary: sometimesJunk(fc.array(dependency, { minLength: 1, maxLength: 2 })) },
    ),
    impressionData: maybe(fc.constantFrom(true, false, null)),
  },
  { requiredKeys: ['name', 'enabled', 'strategies'] },
)

/** A document as it may come over the wire, also from a server gone wrong; feature names are always text. */
export const documentOf: fc.Arbitrary<FeatureDocument> = fc
  .record({
    features: fc.array(feature, { minLength: 1, maxLength: 10 }),
    segments: fc.array(segment, { maxLength: 5 }),
  })
  .map((document) => JSON.parse(JSON.stringify(document)) as FeatureDocument)

/** Any JSON in the place of a document, or a document with any JSON inside. */
export const brokenDocumentOf: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 4 }),
  fc.record({
    features: fc.array(fc.oneof(feature, fc.jsonValue({ maxDepth: 3 }))),
    segments: fc.jsonValue({ maxDepth: 3 }),
  }),
  fc.record({
    features: fc.array(
      fc.record({
        name: fc.constantFrom('f', 'g'),
        enabled: fc.constant(true),
        strategies: fc.array(
          fc.record({
            name: fc.constantFrom('default', 'flexibleRollout', 'userWithId', '__proto__'),
            parameters: fc.jsonValue(),
            constraints: fc.array(fc.jsonValue()),
            segments: fc.jsonValue(),
            variants: fc.jsonValue(),
          }),
        ),
        variants: fc.jsonValue(),
        dependencies: fc.jsonValue(),
      }),
    ),
    segments: fc.array(fc.jsonValue()),
  }),
)
