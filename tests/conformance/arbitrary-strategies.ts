import * as fc from 'fast-check'
import { constraints } from './arbitrary-constraints.ts'
import { maybe, sometimesJunk, textOfKind, userIds } from './arbitrary-values.ts'

/** Segment ids that strategies refer to. No document defines the last of these ids. */
export const SEGMENT_IDS = [1, 2, 3, 4]

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

/** Weight of a variant. Excludes strings, because the SDK concatenates them, which is not worth imitating. */
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
    name: fc.constantFrom(...['a', 'b', 'c', 'a', 'b', 'c', 'disabled', '用'], undefined),
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

/** List of variants, as in a strategy or a flag. */
export const variants = sometimesJunk(fc.array(variant, { maxLength: 4 }), 80)

/** Strategy with any name, and with constraints, segments and variants. */
export const strategy = sometimesJunk(
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
