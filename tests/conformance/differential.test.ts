import { compile, type Engine, type Evaluation, type FeatureDocument } from '@burgee/engine'
import type { Context } from '@burgee/protocol/context'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { casesOf } from '../support/cases.ts'
import { brokenDocumentOf, documentOf, FLAG_NAMES } from './arbitrary-documents.ts'
import { contextOf } from './arbitrary-values.ts'
import { HOSTNAME, isDecidedByIpv6, type ReferenceAnswer, STATIC_CONTEXT, startReference } from './reference.ts'

/**
 * Compares the engine with the official SDK, which is treated as a black box, on generated documents and contexts.
 * BURGEE_FUZZ_RUNS sets the number of documents, and BURGEE_FUZZ_SEED the seed.
 */
const SEED = Number(process.env.BURGEE_FUZZ_SEED ?? 20260101)
const RUNS = casesOf(
  'documents compared with the official SDK',
  { some: 400, full: 600, long: 2500 },
  process.env.BURGEE_FUZZ_RUNS,
)
const MINUTE = 60_000
const TIMEOUT = (RUNS / 1000) * MINUTE + MINUTE

const counts = { compared: 0, ipv6: 0, enabled: 0, variants: 0, random: 0, broke: 0 }

describe('the engine evaluates like the official SDK', () => {
  test(
    `all results agree in ${RUNS} documents, seed ${SEED}`,
    async () => {
      const contexts = fc.array(contextOf, { minLength: 1, maxLength: 8 })
      await fc.assert(fc.asyncProperty(documentOf, contexts, compareDocument), { seed: SEED, numRuns: RUNS })
      process.stdout.write(`differential: ${JSON.stringify(counts)}\n`)
      expect(counts.compared).toBeGreaterThan(RUNS * 14)
    },
    TIMEOUT,
  )

  test('the documents exercise decisions', () => {
    expect(counts.enabled / counts.compared).toBeGreaterThan(0.25)
    expect(counts.enabled / counts.compared).toBeLessThan(0.75)
    expect(counts.variants / counts.enabled).toBeGreaterThan(0.15)
    expect(counts.random / counts.compared).toBeLessThan(0.15)
    expect(counts.broke / counts.compared).toBeLessThan(0.15)
  })
})

async function compareDocument(document: FeatureDocument, contexts: readonly Record<string, unknown>[]): Promise<void> {
  const dice = new Dice()
  const { engine } = compile(document, { random: dice.roll, hostname: HOSTNAME })
  const reference = await startReference(document)
  try {
    for (const given of contexts) {
      const context: Context = { ...STATIC_CONTEXT, ...given }
      for (const name of [...engine.names, 'absent']) {
        if (isDecidedByIpv6(document, name, context)) {
          counts.ipv6++
          continue
        }
        const expected = reference.ask(name, given as Context)
        compareAnswer(answersOf(engine, name, context, dice), expected)
      }
    }
  } finally {
    reference.close()
  }
}

/** Controlled source of random numbers: its current value, and the number of calls. */
class Dice {
  value = 0
  rolls = 0
  readonly roll = () => {
    this.rolls++
    return this.value
  }
}

interface Answers {
  readonly low: Evaluation
  readonly high: Evaluation
  readonly rolls: number
  readonly hasParents: boolean
}

/**
 * Returns the results for the lowest and the highest random number. Percentages are monotonic. If a flag has no parents
 * and draws at most one random number, equal results at both ends prove that it does not depend on chance.
 */
function answersOf(engine: Engine, name: string, context: Context, dice: Dice): Answers {
  dice.rolls = 0
  dice.value = 0
  const low = engine.evaluate(name, context)
  const lowRolls = dice.rolls
  dice.value = 1 - 2 ** -32
  const high = engine.evaluate(name, context)
  const rolls = Math.max(lowRolls, dice.rolls - lowRolls)
  const hasParents = engine.explain(name, context).dependencies.length > 0
  return { low, high, rolls, hasParents }
}

function compareAnswer({ low, high, rolls, hasParents }: Answers, expected: ReferenceAnswer): void {
  counts.compared++
  if (low.enabled) counts.enabled++
  if (low.variantSource) counts.variants++
  const broke = expected.enabled === 'broke' || expected.variant === 'broke'
  if (broke) counts.broke++
  if (rolls > 0) counts.random++
  const isCertain = rolls === 0 || (rolls === 1 && !hasParents && low.enabled === high.enabled)
  if (isCertain && expected.enabled !== 'broke') expect(low.enabled, low.name).toBe(expected.enabled)
  if (rolls > 0 && !broke && !hasParents) expect(expected.drew, `${low.name} asks chance`).toBe(true)
  if (rolls === 0 && expected.variant !== 'broke') expect(low.variant, low.name).toStrictEqual(expected.variant)
}

describe('random rollouts give both the same share', () => {
  const DRAWS = 20_000
  const shares = [
    ['flexibleRollout', { rollout: '30', stickiness: 'random' }, 0.3],
    ['flexibleRollout', { rollout: '33.3', stickiness: 'default' }, 0.33],
    ['gradualRolloutRandom', { percentage: '70' }, 0.7],
    ['gradualRolloutRandom', { percentage: '1' }, 0.01],
  ] as const

  test.each(shares)('%s %j', async (name, parameters, share) => {
    const document = { features: [{ name: 'f', enabled: true, strategies: [{ name, parameters }] }] }
    const { ours, theirs } = await tally(document, DRAWS, ({ enabled }) => String(enabled))
    expect(Math.abs((ours.true ?? 0) / DRAWS - share)).toBeLessThan(0.015)
    expect(Math.abs((theirs.true ?? 0) / DRAWS - share)).toBeLessThan(0.015)
  })

  test('variants without an id', async () => {
    const variants = [2, 0, 3, 5].map((weight, i) => ({ name: `v${i}`, weight, stickiness: 'missing' }))
    const document = { features: [{ name: 'f', enabled: true, strategies: [], variants }] }
    const { ours, theirs } = await tally(document, DRAWS, ({ variant }) => variant.name)
    for (const { name, weight } of variants) {
      expect(Math.abs((ours[name] ?? 0) / DRAWS - weight / 10)).toBeLessThan(0.02)
      expect(Math.abs((theirs[name] ?? 0) / DRAWS - weight / 10)).toBeLessThan(0.02)
    }
  })
})

type Kept = { readonly enabled: unknown; readonly variant: { readonly name: string } }

async function tally(document: FeatureDocument, draws: number, key: (answer: Kept) => string) {
  const { engine } = compile(document)
  const reference = await startReference(document)
  const ours: Record<string, number> = {}
  const theirs: Record<string, number> = {}
  for (let i = 0; i < draws; i++) {
    const [own, other] = [key(engine.evaluate('f', {})), key(reference.ask('f', {}) as Kept)]
    ours[own] = (ours[own] ?? 0) + 1
    theirs[other] = (theirs[other] ?? 0) + 1
  }
  reference.close()
  return { ours, theirs }
}

describe('whatever comes over the wire', () => {
  const anyContext = fc.oneof(
    contextOf,
    fc.dictionary(fc.string(), fc.anything()),
    fc.anything(),
  ) as fc.Arbitrary<Context>
  const ask = (document: unknown, context: Context) => {
    const { engine, warnings } = compile(document as FeatureDocument, { hostname: HOSTNAME })
    for (const name of [...engine.names, ...FLAG_NAMES]) {
      expect(typeof engine.evaluate(name, context).enabled).toBe('boolean')
      expect(typeof engine.explain(name, context).isEnabled).toBe('boolean')
    }
    expect(engine.evaluateAll(context).map(({ name }) => name)).toEqual(engine.names)
    expect(warnings.every(({ message }) => message.length > 0)).toBe(true)
  }

  test('nothing throws', { timeout: TIMEOUT }, () => {
    fc.assert(fc.property(fc.oneof(brokenDocumentOf, documentOf), anyContext, ask), { seed: SEED, numRuns: RUNS })
  })

  test('evaluate, evaluateAll and explain agree when nothing is disabled', { timeout: TIMEOUT }, () => {
    const agree = (document: FeatureDocument, context: Context, random: number) => {
      const enabledOnly = JSON.parse(JSON.stringify(document, (key, value) => (key === 'disabled' ? undefined : value)))
      const { engine } = compile(enabledOnly, { random: () => random })
      const all = engine.evaluateAll(context)
      for (const [i, name] of engine.names.entries()) {
        const { enabled, variant, variantSource } = engine.evaluate(name, context)
        const explained = engine.explain(name, context)
        expect(all[i]).toEqual(engine.evaluate(name, context))
        expect(explained).toMatchObject({ isEnabled: enabled, variant, variantSource, known: true })
        expect(explained.variant).toEqual(variant)
      }
    }
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
    fc.assert(fc.property(documentOf, contextOf, random, agree), { seed: SEED, numRuns: RUNS })
  })
})
