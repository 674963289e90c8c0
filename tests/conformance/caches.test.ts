import { type CompileOptions, compile, type Engine, type FeatureDocument } from '@burgee/engine'
import type { Context } from '@burgee/protocol/context'
import { EVALUATION_PROFILES, type EvaluationProfile } from '@burgee/protocol/evaluation-profile'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { casesOf } from '../support/cases.ts'
import { documentOf } from './arbitrary-documents.ts'
import { editOf, largeDocumentOf, reread } from './arbitrary-edits.ts'
import { contextOf, similarContextsOf } from './arbitrary-values.ts'
import { HOSTNAME } from './reference.ts'

/**
 * Compares the optimized engine with the plain engine, which does not share, fold or cache anything. BURGEE_FUZZ_RUNS
 * sets the number of documents, and BURGEE_FUZZ_SEED the seed.
 */
const SEED = Number(process.env.BURGEE_FUZZ_SEED ?? 20260102)
const RUNS = casesOf('documents of caches', { some: 150, full: 200, long: 1000 }, process.env.BURGEE_FUZZ_RUNS)
const TIMEOUT = RUNS * 60 + 60_000
const SETTINGS = { seed: SEED, numRuns: RUNS }

/** Random numbers and time, controlled by the test and equal for every engine. */
class World {
  chance = 0
  time = Date.parse('2022-01-29T13:00:00Z')
  readonly options: CompileOptions
  constructor(profile: EvaluationProfile) {
    this.options = {
      profile,
      random: () => this.chance,
      clock: () => this.time,
      hostname: HOSTNAME,
      strategies: [{ name: 'custom', isEnabled: (_, { userId }) => String(userId).length % 2 === 0 }],
    }
  }
}

const counts = { decisions: 0, enabled: 0, keys: 0, equalKeys: 0, kept: 0 }

function outcomesOf(engine: Engine): unknown[] {
  return engine.names.map((_, index) => engine.getOutcomes(index))
}

/** Compares the results of all ways to evaluate flags for one context. */
function expectSame(fast: Engine, plain: Engine, context: Context, some: readonly number[]): void {
  const expected = [...plain.decideAll(context)]
  expect([...fast.decideAll(context)]).toEqual(expected)
  expect(fast.evaluateAll(context)).toEqual(plain.evaluateAll(context))
  expect([...fast.decideSome(some, context)].slice(0, some.length)).toEqual(some.map((index) => expected[index] ?? 0))
  for (const [index, name] of fast.names.entries()) {
    expect(fast.decideAt(index, context), name).toBe(expected[index])
    expect(fast.evaluate(name, context)).toEqual(plain.evaluate(name, context))
    counts.decisions++
    if (expected[index]) counts.enabled++
  }
}

const contextsOf = fc.array(contextOf, { minLength: 1, maxLength: 4 })
const chanceOf = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const someOf = fc.array(fc.integer({ min: -1, max: 30 }), { maxLength: 40 })

describe.each(EVALUATION_PROFILES)('with caches and without, profile %s', (profile) => {
  test('a document gives the same results by every method and after any earlier evaluation', {
    timeout: TIMEOUT,
  }, () => {
    const world = new World(profile)
    const agree = (document: FeatureDocument, contexts: readonly Context[], chance: number, some: number[]) => {
      world.chance = chance
      const fast = compile(document, world.options)
      const plain = compile(document, { ...world.options, caches: false })
      expect(fast.warnings).toEqual(plain.warnings)
      expect(fast.engine.names).toEqual(plain.engine.names)
      expect(outcomesOf(fast.engine)).toEqual(outcomesOf(plain.engine))
      for (const context of [...contexts, ...contexts]) expectSame(fast.engine, plain.engine, context, some)
      for (const name of fast.engine.names.slice(0, 5)) {
        const [context = {}] = contexts
        expect(fast.engine.explain(name, context)).toEqual(plain.engine.explain(name, context))
      }
    }
    const documents = fc.oneof({ weight: 3, arbitrary: documentOf }, { weight: 1, arbitrary: largeDocumentOf })
    fc.assert(fc.property(documents, contextsOf, chanceOf, someOf, agree), SETTINGS)
  })
})

describe.each(EVALUATION_PROFILES)('compiled after another document, profile %s', (profile) => {
  test('an engine is as one compiled from nothing, and the one before stays as it was', { timeout: TIMEOUT }, () => {
    const world = new World(profile)
    const agree = (
      first: FeatureDocument,
      edits: readonly ((document: FeatureDocument) => FeatureDocument)[],
      contexts: readonly Context[],
      chance: number,
    ) => {
      world.chance = chance
      let document = first
      let { engine } = compile(document, world.options)
      let plain = compile(document, { ...world.options, caches: false })
      for (const edit of edits) {
        const edited = reread(edit(document))
        const next = compile(edited, world.options, engine)
        const nextPlain = compile(edited, { ...world.options, caches: false })
        expect(next.warnings).toEqual(nextPlain.warnings)
        expect(next.engine.names).toEqual(nextPlain.engine.names)
        expect(outcomesOf(next.engine)).toEqual(outcomesOf(nextPlain.engine))
        expectKept(document, engine, edited, next.engine)
        for (const context of contexts) {
          expectSame(next.engine, nextPlain.engine, context, [])
          expectSame(engine, plain.engine, context, [])
        }
        const [name = ''] = next.engine.names
        expect(next.engine.explain(name, {})).toEqual(nextPlain.engine.explain(name, {}))
        document = edited
        engine = next.engine
        plain = nextPlain
      }
    }
    const edits = fc.array(editOf, { minLength: 1, maxLength: 5 })
    fc.assert(fc.property(fc.oneof(documentOf, largeDocumentOf), edits, contextsOf, chanceOf, agree), SETTINGS)
  })
})

/** Checks that the list of outcomes is reused if and only if the JSON of the definition is unchanged. */
function expectKept(before: FeatureDocument, old: Engine, after: FeatureDocument, next: Engine): void {
  const texts = (document: FeatureDocument) =>
    new Map((document.features as { name: string }[]).map((feature) => [feature.name, JSON.stringify(feature)]))
  const [oldTexts, newTexts] = [texts(before), texts(after)]
  for (const [index, name] of next.names.entries()) {
    const isKept = oldTexts.get(name) === newTexts.get(name)
    if (isKept) counts.kept++
    expect(next.getOutcomes(index) === old.getOutcomes(old.indexOf(name)), name).toBe(isKept)
  }
}

describe.each(EVALUATION_PROFILES)('keys, profile %s', (profile) => {
  test('contexts with the same key have the same outcomes, at any time, by any chance', { timeout: TIMEOUT }, () => {
    const world = new World(profile)
    const agree = (document: FeatureDocument, contexts: readonly Context[], chances: [number, number]) => {
      const { engine } = compile(document, world.options)
      const outcomes = new Map<string, number[]>()
      for (const context of contexts) {
        for (const chance of chances) {
          world.chance = chance
          world.time = Date.UTC(2022, 0, 28, 12 + 24 * 3 * chance)
          const key = engine.getCacheKey(context)
          if (key === undefined) continue
          counts.keys++
          const decided = [...engine.decideAll(context)]
          const known = outcomes.get(key)
          if (known) counts.equalKeys++
          expect(decided).toEqual(known ?? decided)
          outcomes.set(key, decided)
        }
      }
    }
    const chances = fc.tuple(chanceOf, chanceOf)
    fc.assert(fc.property(documentOf, similarContextsOf, chances, agree), { ...SETTINGS, numRuns: 2 * RUNS })
  })

  test('the documents exercise decisions, keys and cached results', () => {
    process.stdout.write(`caches: ${JSON.stringify(counts)}\n`)
    expect(counts.enabled / counts.decisions).toBeGreaterThan(0.25)
    expect(counts.equalKeys / counts.keys).toBeGreaterThan(0.3)
    expect(counts.keys).toBeGreaterThan(RUNS)
    expect(counts.kept).toBeGreaterThan(RUNS)
  })
})
