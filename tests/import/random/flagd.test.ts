import { createFlagdSource } from '@burgee/import/flagd/flagd-source'
import { FlagdCore } from '@openfeature/flagd-core'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { casesOf } from '../../support/cases.ts'
import { asker, readAs } from '../asked.ts'
import { ATTRIBUTES, type Attribute, contextOf, operandOf, people, unreportedDifferences } from './attributes.ts'

/**
 * Random flagd documents, evaluated by flagd's own engine and by Burgee after an import. Uses BURGEE_FUZZ_RUNS and
 * BURGEE_FUZZ_SEED.
 */
const SEED = Number(process.env.BURGEE_FUZZ_SEED ?? 20260702)
const FLAGS = casesOf('flags of flagd', { some: 300, full: 1500, long: 10_000 }, process.env.BURGEE_FUZZ_RUNS)
const PEOPLE = 40
const LONGEST_MS = 600_000

const attribute = fc.constantFrom(...(Object.keys(ATTRIBUTES) as Attribute[]))
const COMPARED = ['==', '!=', '===', '!==']
const ORDERED = ['<', '<=', '>', '>=']
const varOf = (name: string) => ({ var: name })

const compared = attribute.chain((name) => {
  const operators = ATTRIBUTES[name] === 'number' ? [...COMPARED, ...ORDERED] : COMPARED
  return fc
    .tuple(fc.constantFrom(...operators), operandOf(name), fc.boolean())
    .map(([operator, value, isFirst]) => ({ [operator]: isFirst ? [value, varOf(name)] : [varOf(name), value] }))
})
const between = fc
  .tuple(fc.constantFrom(...ORDERED), operandOf('age'), operandOf('age'))
  .map(([operator, low, high]) => ({ [operator]: [low, varOf('age'), high] }))
const contained = attribute.chain((name) =>
  fc.oneof(
    fc.array(operandOf(name), { maxLength: 3 }).map((list) => ({ in: [varOf(name), list] })),
    operandOf(name).map((part) => ({ in: [part, varOf(name)] })),
  ),
)
const texts = fc
  .tuple(fc.constantFrom('starts_with', 'ends_with'), fc.constantFrom<Attribute>('plan', 'email'), operandOf('email'))
  .map(([operator, name, value]) => ({ [operator]: [varOf(name), value] }))
const version = fc
  .tuple(fc.constantFrom('=', '!=', '<', '<=', '>', '>=', '^', '~', '~~'), operandOf('app'))
  .map(([operator, value]) => ({ sem_ver: [varOf('app'), operator, value] }))
const odd = fc.constantFrom<unknown>(
  ...[
    true,
    false,
    null,
    'on',
    {},
    { var: 'beta' },
    { missing: ['plan'] },
    { $ref: 'a' },
    { $ref: 'b' },
    { $ref: 'nowhere' },
  ],
  ...[
    { unheard: [1] },
    { and: [] },
    { or: [] },
    { '==': [{ var: 'a.b' }, 1] },
    { '!!': [{ var: 'plan' }] },
    { and: { var: 'plan' } },
  ],
)

const { condition } = fc.letrec<{ condition: unknown }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    ...[compared, compared, texts, version, version, contained, between].map((arbitrary) => ({ weight: 3, arbitrary })),
    { weight: 1, arbitrary: odd },
    { weight: 2, arbitrary: fc.array(tie('condition'), { minLength: 1, maxLength: 2 }).map((and) => ({ and })) },
    { weight: 2, arbitrary: fc.array(tie('condition'), { minLength: 1, maxLength: 2 }).map((or) => ({ or })) },
    { weight: 2, arbitrary: tie('condition').map((one) => ({ '!': [one] })) },
    { weight: 1, arbitrary: tie('condition').map((one) => ({ '!': one })) },
  ),
}))

const share = fc.tuple(
  fc.constantFrom<unknown>('a', 'b', 'on', 'off', 'nowhere'),
  fc.constantFrom<unknown>(0, 0, 1, 50, -1, 1.5, '5'),
)
const fractional = fc
  .tuple(
    fc.array(
      fc.oneof(
        share,
        share.map(([name]) => [name]),
        fc.constant([]),
      ),
      { maxLength: 3 },
    ),
    fc.constantFrom<unknown>(undefined, undefined, { var: 'org' }, 'constant', {
      cat: [{ var: '$flagd.flagKey' }, { var: 'org' }],
    }),
  )
  .map(([shares, by]) => ({ fractional: by === undefined ? shares : [by, ...shares] }))
const { result } = fc.letrec<{ result: unknown }>((tie) => ({
  result: fc.oneof(
    { depthSize: 'small' },
    { weight: 10, arbitrary: fc.constantFrom<unknown>('a', 'b', 'on', 'off') },
    { weight: 2, arbitrary: fc.constantFrom<unknown>(null, true, false, 'nowhere', 1, '') },
    { weight: 1, arbitrary: fractional },
    {
      weight: 3,
      arbitrary: fc
        .tuple(fc.array(fc.tuple(condition, tie('result')), { minLength: 0, maxLength: 3 }), fc.option(tie('result')))
        .map(([pairs, last]) => ({ if: [...pairs.flat(), ...(last === null ? [] : [last])] })),
    },
  ),
}))
const targeting = fc.oneof(
  {
    weight: 8,
    arbitrary: fc
      .tuple(fc.array(fc.tuple(condition, result), { minLength: 1, maxLength: 3 }), fc.option(result))
      .map(([pairs, last]) => ({ if: [...pairs.flat(), ...(last === null ? [] : [last])] })),
  },
  { weight: 1, arbitrary: condition.filter((one) => typeof one === 'object') },
  { weight: 1, arbitrary: fractional },
)

const SWITCH = { on: true, off: false }
const NAMED = { true: true, false: false, on: true, off: false }
const kind = fc.constantFrom<{ variants: object; defaults: readonly unknown[] }>(
  { variants: SWITCH, defaults: ['on', 'off', 'off', null, undefined] },
  { variants: NAMED, defaults: ['true', 'false', 'on', null] },
  { variants: { a: 'x', b: 'y', on: 'z', off: '' }, defaults: ['a', 'b', 'off', null] },
  { variants: { a: 1, b: 2.5, on: 0, off: -1 }, defaults: ['a', 'on', undefined] },
  { variants: { a: { n: 1 }, b: {}, on: { n: [1] }, off: { x: null } }, defaults: ['a', 'b', null] },
)
const flag = kind.chain(({ variants, defaults }) =>
  fc
    .record({
      state: fc.constantFrom('ENABLED', 'ENABLED', 'ENABLED', 'ENABLED', 'DISABLED'),
      defaultVariant: fc.constantFrom(...defaults),
      targeting: fc.option(targeting, { freq: 8, nil: undefined }),
    })
    .map((all) => JSON.parse(JSON.stringify({ ...all, variants })) as FlagOfFlagd),
)
interface FlagOfFlagd {
  readonly variants: Readonly<Record<string, unknown>>
}

const options = (numRuns: number, offset = 0) => ({ seed: SEED + offset, numRuns })
const flags = Object.fromEntries(fc.sample(flag, options(FLAGS)).map((one, at) => [`f${at}`, one]))
const $evaluators = {
  a: { '==': [{ var: 'plan' }, 'paid'] },
  b: { or: [{ $ref: 'a' }, { '==': [{ var: 'plan' }, 'free'] }] },
}
const typed = fc.sample(people({ isTyped: true, hasKey: false }), options(PEOPLE, 2))
const wild = fc.sample(people({ isTyped: false, hasKey: false }), options(PEOPLE, 3))
const SILENT = { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} }
const core = new FlagdCore(undefined, SILENT)
core.setConfigurations(JSON.stringify({ flags, $evaluators }))

function isSwitch(name: string): boolean {
  return Object.values(flags[name]?.variants ?? {}).every((value) => typeof value === 'boolean')
}

function answerThere(name: string, { key, fields }: (typeof typed)[number]): string {
  const details = core
    .getFlag(name)
    ?.evaluate({ ...(key === undefined ? {} : { targetingKey: key }), ...fields } as never, SILENT)
  const isOn = core.getFlag(name)?.state === 'ENABLED'
  if (!isOn || details?.value === undefined) return 'off'
  if (isSwitch(name)) return details.value === true ? 'on' : 'off'
  return JSON.stringify(details.value)
}

test(
  'no decision of a random flag differs without a line in the report',
  async () => {
    const installation = await readAs(createFlagdSource, { flags, $evaluators })
    const { answer } = asker(installation)
    const { counts, different } = await unreportedDifferences({
      installation,
      flags: Object.keys(flags),
      people: [...typed, ...wild],
      here: (flag, person) => {
        const own = answer(flag, contextOf(person))
        return isSwitch(flag) ? ({ true: 'on', false: 'off' }[own] ?? own) : own
      },
      there: answerThere,
    })
    expect(different.slice(0, 1).map((one) => ({ ...one, definition: flags[(one as { flag: string }).flag] }))).toEqual(
      [],
    )
    expect(counts.silent).toBeGreaterThan(FLAGS / 8)
    expect(counts.exact).toBeGreaterThan(FLAGS / 8)
    expect(counts.on).toBeGreaterThan(counts.decisions / 5)
  },
  LONGEST_MS,
)
