import { compile, type Engine, type Evaluation, type Explanation } from '@burgee/engine'
import { createRandom } from '@burgee/kit/seeded-random'
import { runSync } from '@burgee/kit/slices'
import { splitList } from '@burgee/kit/split-list'
import type { Context } from '@burgee/protocol/context'
import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import type { Pair } from './definition-difference.ts'
import { ContextSample, type Sampling } from './sample-contexts.ts'
import { indexRules } from './sampled-rules.ts'

/** A flag with different decisions for one context. */
export interface DecisionDifference {
  readonly flag: string
  readonly context: Context
  readonly why: Pair<Explanation>
}

/** Number of flags and contexts that were compared, and the first difference of each flag. */
export interface ComparedDecisions {
  readonly flags: number
  readonly contexts: number
  /** Number of additional contexts that were generated for single flags. */
  readonly aimed: number
  readonly differences: readonly DecisionDifference[]
}

/** Settings of a comparison. */
export interface ComparisonSettings extends Sampling {
  /** Time to use for contexts that contain no current time. */
  readonly nowMs: number
}

/** Evaluates two documents for the same context, at the same time and with the same random number. */
export class EnginePair {
  readonly engines: Pair<Engine>
  readonly names: readonly string[]
  readonly #outcomes: Pair<Map<string, string[]>> = { a: new Map(), b: new Map() }
  #chance = 0

  constructor(documents: Pair<FeatureDocument>, nowMs: number) {
    const options = { clock: () => nowMs, random: () => this.#chance }
    this.engines = { a: compile(documents.a, options).engine, b: compile(documents.b, options).engine }
    this.names = [...new Set([...this.engines.a.names, ...this.engines.b.names])]
  }

  /**
   * Returns the names of flags whose decisions differ. Compares all flags, or only the flags in `names`. Both documents
   * are evaluated with the same random number.
   */
  findDiffering(context: Context, chance: number, names: readonly string[] = this.names): string[] {
    this.#chance = chance
    return names.filter((name) => this.#decide('a', name, context) !== this.#decide('b', name, context))
  }

  #decide(side: keyof Pair<Engine>, name: string, context: Context): string {
    const engine = this.engines[side]
    const index = engine.indexOf(name)
    if (index < 0) return ''
    const known = this.#outcomes[side]
    const texts = known.get(name) ?? engine.getOutcomes(index).map(formatOutcome)
    known.set(name, texts)
    return texts[engine.decideAt(index, context)] ?? ''
  }
}

/** Number of flags that one step evaluates. */
const FLAGS_AT_ONCE = 200

/**
 * Evaluates sample contexts with both documents: some contexts for all flags, and further contexts generated for single
 * flags.
 */
export function compareDecisions(documents: Pair<FeatureDocument>, requested: ComparisonSettings): ComparedDecisions {
  return runSync(compareDecisionsInSteps(documents, requested))
}

/** Compares like `compareDecisions`, but in steps, so that other work can run in between. */
export function* compareDecisionsInSteps(
  documents: Pair<FeatureDocument>,
  asked: ComparisonSettings,
): Generator<void, ComparedDecisions> {
  const both = new EnginePair(documents, asked.nowMs)
  const sample = new ContextSample([indexRules(documents.a), indexRules(documents.b)], asked)
  const draw = createRandom(asked.seed)
  const found = new Map<string, DecisionDifference>()
  const look = (context: Context, chance: number, names: readonly string[]) => {
    for (const flag of both.findDiffering(context, chance, names)) {
      if (found.has(flag)) continue
      const [a, b] = [both.engines.a.explain(flag, context), both.engines.b.explain(flag, context)]
      found.set(flag, { flag, context, why: { a, b } })
    }
  }
  let aimed = 0
  for (const flag of both.names) {
    const contexts = sample.listTargeted(flag)
    aimed += contexts.length
    for (const context of contexts) look(context, draw(), [flag])
    yield
  }
  const steps = splitList(both.names, FLAGS_AT_ONCE)
  for (const context of sample.iterateMixed()) {
    const chance = draw()
    for (const names of steps) {
      look(context, chance, names)
      yield
    }
  }
  const differences = both.names.map((name) => found.get(name)).filter((one) => one !== undefined)
  return { flags: both.names.length, contexts: asked.contexts, aimed, differences }
}

/** Returns the same string for decisions that an SDK cannot distinguish. */
function formatOutcome({ enabled, variant, impressionData }: Evaluation): string {
  const { name, enabled: hasVariant, payload } = variant
  return JSON.stringify([enabled, name, hasVariant, payload?.type, payload?.value, impressionData === true])
}
