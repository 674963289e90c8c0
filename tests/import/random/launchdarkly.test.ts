import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLaunchDarklySource } from '@burgee/import/launchdarkly/launchdarkly-source'
import { basicLogger, init, integrations, type LDClient } from '@launchdarkly/node-server-sdk'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../support/burgee.ts'
import { casesOf } from '../../support/cases.ts'
import { asker, readAs } from '../asked.ts'
import { ATTRIBUTES, type Attribute, contextOf, operandOf, people, unreportedDifferences } from './attributes.ts'

/**
 * Random LaunchDarkly documents, evaluated by its own SDK and by Burgee after an import. Uses BURGEE_FUZZ_RUNS and
 * BURGEE_FUZZ_SEED.
 */
const SEED = Number(process.env.BURGEE_FUZZ_SEED ?? 20260701)
const FLAGS = casesOf('flags of LaunchDarkly', { some: 300, full: 1500, long: 10_000 }, process.env.BURGEE_FUZZ_RUNS)
const PEOPLE = 40
const LONGEST_MS = 600_000

const attribute = fc.constantFrom(...(Object.keys(ATTRIBUTES) as Attribute[]))
const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  text: ['in', 'in', 'startsWith', 'endsWith', 'contains', 'matches'],
  number: ['in', 'lessThan', 'lessThanOrEqual', 'greaterThan', 'greaterThanOrEqual'],
  'truth value': ['in'],
  version: ['semVerEqual', 'semVerLessThan', 'semVerGreaterThan'],
}
const PATTERNS = fc.constantFrom(
  '^a',
  'b.de$',
  '^p.*d$',
  '[A-Z]{2}',
  '(?i)PAID',
  '^\\d+$',
  '\\pL',
  '[',
  'paid|free',
  '^$',
  '\\s',
)
const more = fc.oneof(
  { weight: 20, arbitrary: fc.constant({}) },
  { weight: 1, arbitrary: fc.constant({ contextKind: 'user' }) },
  { weight: 1, arbitrary: fc.constant({ contextKind: 'org' }) },
)
const clause = attribute.chain((name) =>
  fc
    .record({
      op: fc.oneof(
        { weight: 20, arbitrary: fc.constantFrom(...(OPERATORS[name === 'app' ? 'version' : ATTRIBUTES[name]] ?? [])) },
        { weight: 1, arbitrary: fc.constantFrom(...Object.values(OPERATORS).flat(), 'before', 'unheard') },
      ),
      values: fc.array(operandOf(name), { minLength: 0, maxLength: 3 }),
      patterns: fc.array(PATTERNS, { minLength: 1, maxLength: 2 }),
      negate: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
      more,
    })
    .map(({ op, values, patterns, negate, more: kind }) => ({
      attribute: name,
      op,
      values: op === 'matches' ? patterns : values,
      negate,
      ...kind,
    })),
)
const segmentClause = fc
  .tuple(fc.constantFrom('s0', 's1', 's2', 's3', 'nowhere'), fc.boolean())
  .map(([key, negate]) => ({ attribute: '', op: 'segmentMatch', values: [key], negate }))
const clauses = fc.array(fc.oneof({ weight: 6, arbitrary: clause }, { weight: 1, arbitrary: segmentClause }), {
  minLength: 0,
  maxLength: 2,
})
const index = fc.oneof(
  { weight: 15, arbitrary: fc.nat(2) },
  { weight: 1, arbitrary: fc.constantFrom(3, -1, null, '1') },
)
const weight = fc.constantFrom(0, 0, 50_000, 100_000, 30_000)
const rollout = fc
  .record({ variations: fc.array(fc.record({ variation: fc.nat(2), weight }), { maxLength: 3 }), by: fc.boolean() })
  .map(({ variations, by }) => ({ rollout: { variations, ...(by ? { bucketBy: 'org' } : {}) } }))
const outcome = fc.oneof(
  { weight: 8, arbitrary: index.map((variation) => ({ variation })) },
  { weight: 1, arbitrary: rollout },
)
const rule = fc.tuple(clauses, outcome).map(([own, gives]) => ({ id: 'r', clauses: own, ...gives }))
const target = fc.record({ variation: index, values: fc.subarray(['1', '2', '3', 'anna']) })
const flag = fc
  .record({
    on: fc.constantFrom(true, true, true, true, false),
    variations: fc.constantFrom<unknown[]>(
      [true, false],
      [true, false],
      ['a', 'b', 'c'],
      [1, 2.5],
      [{ a: 1 }, { a: 2 }],
      [true, 'x', null],
    ),
    offVariation: fc.option(index, { nil: undefined }),
    targets: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      { weight: 1, arbitrary: fc.array(target, { maxLength: 2 }) },
    ),
    contextTargets: fc.oneof(
      { weight: 9, arbitrary: fc.constant(undefined) },
      {
        weight: 1,
        arbitrary: fc.array(
          target.map((one) => ({ ...one, values: [], contextKind: 'user' })),
          { maxLength: 2 },
        ),
      },
    ),
    prerequisites: fc.oneof(
      { weight: 9, arbitrary: fc.constant([]) },
      {
        weight: 1,
        arbitrary: fc
          .record({ key: fc.constantFrom('f0', 'f1', 'f2', 'f3'), variation: fc.nat(2) })
          .map((one) => [one]),
      },
    ),
    rules: fc.array(rule, { maxLength: 3 }),
    fallthrough: outcome,
  })
  .map((all) => JSON.parse(JSON.stringify({ version: 1, salt: 's', ...all })) as Record<string, unknown>)
const segment = fc.record({
  included: fc.subarray(['1', '2', 'anna']),
  excluded: fc.subarray(['1', '3', 'anna']),
  rules: fc.array(
    clauses.map((own) => ({ clauses: own })),
    { maxLength: 2 },
  ),
})

const options = (numRuns: number, offset = 0) => ({ seed: SEED + offset, numRuns })
const flags: Record<string, Record<string, unknown>> = Object.fromEntries(
  fc.sample(flag, options(FLAGS)).map((one, at) => [`f${at}`, { key: `f${at}`, ...one }]),
)
const segments = Object.fromEntries(
  fc.sample(segment, options(4, 1)).map((one, at) => [`s${at}`, { key: `s${at}`, version: 1, salt: 's', ...one }]),
)
const typed = fc.sample(people({ isTyped: true, hasKey: true }), options(PEOPLE, 2))
const wild = fc.sample(people({ isTyped: false, hasKey: true }), options(PEOPLE, 3))

const folder = temporaryFolder()
let client: LDClient
beforeAll(async () => {
  const path = join(folder.path, 'flags.json')
  writeFileSync(path, JSON.stringify({ flags, segments }))
  client = init('no-key', {
    updateProcessor: new integrations.FileDataSourceFactory({ paths: [path] }).getFactory(),
    sendEvents: false,
    diagnosticOptOut: true,
    logger: basicLogger({ level: 'none' }),
  })
  await client.waitForInitialization({ timeout: 10 })
})
afterAll(() => {
  client.close()
  folder.remove()
})

const NONE = '(default of the code)'
/** Reports that a disabled flag has no value in Burgee. */
const OFF_VALUE = /^(of its parent "\w+": )?where it is off, the default in the code applies/

async function answerThere(name: string, { key = '', fields }: (typeof typed)[number]): Promise<string> {
  const context = { kind: 'user', key, ...fields }
  const { value, reason } = await client.variationDetail(name, context, NONE)
  const variations = flags[name]?.variations as unknown[]
  const isSwitch = variations.every((one) => typeof one === 'boolean')
  if (!isSwitch && ['OFF', 'PREREQUISITE_FAILED'].includes(reason.kind)) return 'off'
  if (value === NONE || value === null) return 'off'
  if (isSwitch) return value === true ? 'on' : 'off'
  return JSON.stringify(value)
}

test(
  'no decision of a random flag differs without a line in the report',
  async () => {
    const installation = await readAs(createLaunchDarklySource, { flags, segments })
    const { answer } = asker(installation)
    const { counts, different } = await unreportedDifferences({
      installation,
      flags: Object.keys(flags),
      people: [...typed, ...wild],
      here: (flag, person) => answer(flag, contextOf(person)),
      there: answerThere,
      known: OFF_VALUE,
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
