import { ALWAYS, NEVER } from '../rules/compilation.ts'
import type { CompiledDependency } from '../rules/dependencies.ts'
import { type CompiledFeature, type FlagStrategy, OFF, ON } from '../rules/feature.ts'
import type { HashPrefix } from '../rules/hash.ts'
import { constantReason } from '../rules/reason.ts'
import type { Stickiness } from '../rules/stickiness.ts'
import type { CompiledStrategy } from '../rules/strategy.ts'
import type { VariantChoice } from '../rules/variants.ts'
import { READ_KINDS, READS, type Registry } from './registry.ts'

/** How a flag is decided, as integers. */
export interface EncodedFlag {
  /** The outcome for everybody, parents aside; -1 when it depends on the context. */
  readonly constant: number
  /**
   * The rest of a flag without a constant: its strategies one after the other, then {@link END}, with the choice of its own
   * variants at the place that the first integer tells. See {@link STRATEGY} for one of them.
   */
  readonly code: readonly number[]
  readonly dependencies: readonly CompiledDependency[]
  /** Whether the definition has parents; then it cannot be one. */
  readonly hasParents: boolean
  /** Everything that deciding the flag reads, as `READS` numbers it. */
  readonly reads: readonly number[]
  /** How a constant outcome came about; of no meaning for others. */
  readonly reason: number
}

/**
 * A strategy in code: its length, a count and as many conditions, a percentage and, unless it is {@link EVERYBODY}, the
 * hash to place the id by, a choice of variants.
 */
export const STRATEGY = { length: 0, count: 1, refs: 2 } as const
/** Stands where the next strategy would have its length. */
export const END = 0
/** In place of a percentage: no id is needed. */
export const EVERYBODY = 0
/** How many integers a hash takes: number of the prepared id, state, tail, length of the prefix. */
export const HASH_SIZE = 4

/** The beginning of a choice of variants, and what follows. */
export const CHOICE = {
  /** No variant here. */
  none: 0,
  /** An outcome: the same for everybody. */
  fixed: 1,
  /** A hash, the sum of weights, a count, and as many pairs of an upper limit and an outcome, -1 for none. */
  sliced: 2,
  /** The number of a chooser. */
  asked: 3,
} as const
/** In place of an outcome: none of the list, so the next list is asked. */
export const NO_OUTCOME = -1

const LARGEST_TOTAL = 2 ** 31 - 1

/** Turns a compiled flag into integers. Conditions that are always or never true are folded away. */
export function encodeFlag(feature: CompiledFeature, registry: Registry): EncodedFlag {
  const { dependencies } = feature
  const hasParents = dependencies.length > 0
  const common = { hasParents, reason: constantReason(feature, false) }
  const never: EncodedFlag = { ...common, constant: OFF, code: [], dependencies: [], reads: [] }
  if (!feature.isOn || !feature.strategies) return never
  const encoder = new FlagEncoder(registry)
  const own = encoder.choiceOf(feature.variants, feature.variantOutcomes)
  const strategies =
    feature.strategies.length === 0 ? [[0, 0, EVERYBODY, CHOICE.none]] : encoder.strategiesOf(feature.strategies)
  const [first] = strategies
  if (!first) return never
  if (isForEverybody(first)) {
    const constant = constantOf(first.slice(STRATEGY.refs + 1), own)
    if (constant !== undefined) {
      const reason = constantReason(feature, true)
      return { constant, code: [], dependencies, hasParents, reads: [], reason }
    }
  }
  for (const strategy of strategies) strategy[STRATEGY.length] = strategy.length
  const code = [0, ...strategies.flat(), END, ...own]
  code[0] = code.length - own.length
  return { ...common, constant: NO_OUTCOME, code, dependencies, reads: [...new Set(encoder.reads)] }
}

function isForEverybody(strategy: readonly number[]): boolean {
  return strategy[STRATEGY.count] === 0 && strategy[STRATEGY.refs] === EVERYBODY
}

/** The outcome of a choice and the one that follows, when the context does not matter. */
function constantOf(choice: readonly number[], next: readonly number[]): number | undefined {
  const [kind, outcome] = choice[0] === CHOICE.none ? next : choice
  if (kind === CHOICE.none) return ON
  return kind === CHOICE.fixed ? outcome : undefined
}

/** Writes the parts of one flag and keeps what they read. */
class FlagEncoder {
  readonly reads: number[] = []
  readonly #registry: Registry

  constructor(registry: Registry) {
    this.#registry = registry
  }

  /** Strategies that can hold, up to the first that holds for everybody. */
  strategiesOf(strategies: readonly FlagStrategy[]): number[][] {
    const written: number[][] = []
    for (const { strategy, outcomes } of strategies) {
      const conditions = this.#conditionsOf(strategy)
      if (!conditions) continue
      const code = [0, ...conditions, ...this.choiceOf(strategy.variants, outcomes)]
      written.push(code)
      if (isForEverybody(code)) break
    }
    return written
  }

  /** A list of variants. */
  choiceOf(choice: VariantChoice | undefined, outcomes: readonly (number | undefined)[]): number[] {
    if (!choice || choice.total <= 0) return [CHOICE.none]
    const { stickiness, prefix, total, slices } = choice
    if (!isPlain(choice)) {
      for (const field of choice.overrideFields) this.#read(field, READS.field)
      this.#read(this.#registry.numberOf(stickiness), READS.idOrChance)
      return [CHOICE.asked, this.#registry.addChooser((request) => outcomes[choice.choose(request)] ?? NO_OUTCOME)]
    }
    const pairs = slices.map(({ index, to }) => [to, outcomes[index] ?? NO_OUTCOME])
    const [first] = pairs
    if (pairs.length === 1 && first) return first[1] === NO_OUTCOME ? [CHOICE.none] : [CHOICE.fixed, first[1] as number]
    this.#read(this.#registry.numberOf(stickiness), READS.idOrChance)
    return [CHOICE.sliced, ...this.#hash(stickiness, prefix), total, pairs.length, ...pairs.flat()]
  }

  /** Count, conditions and percentage; undefined for a strategy that lets nobody in. */
  #conditionsOf({ constraints, segments, isValid, own }: CompiledStrategy): number[] | undefined {
    if (!isValid || own.test === NEVER) return undefined
    const refs = this.#registry.refsOf(constraints)
    if (!refs) return undefined
    for (const segment of segments) {
      const more = segment && this.#registry.refsOfSegment(segment)
      if (!more) return undefined
      refs.push(...more)
    }
    const percentage = own.rollout ? this.#percentageOf(own.rollout) : [EVERYBODY]
    if (!percentage) return undefined
    if (!own.rollout && own.test !== ALWAYS) {
      refs.push(this.#registry.addTest(own.test, [own.reads ? READS[own.reads] : READS.anything]))
    }
    this.reads.push(...this.#registry.readsOf(refs))
    return [refs.length, ...refs, ...percentage]
  }

  #percentageOf({ stickiness, prefix, limit }: NonNullable<CompiledStrategy['own']['rollout']>): number[] | undefined {
    if (!(limit >= 1)) return undefined // buckets begin at 1
    if (limit >= 100 && stickiness.drawsWithoutId) return [EVERYBODY]
    this.#read(this.#registry.numberOf(stickiness), stickiness.drawsWithoutId ? READS.idOrChance : READS.id)
    return [Math.min(Math.floor(limit), 100), ...this.#hash(stickiness, prefix)]
  }

  #hash(stickiness: Stickiness, { state, tail, length }: HashPrefix): number[] {
    return [4 * this.#registry.numberOf(stickiness) + (length & 3), state, tail, length]
  }

  #read(what: number, how: number): void {
    this.reads.push(what * READ_KINDS + how)
  }
}

/** Whether whole buckets and nothing else decide: then every bucket belongs to a slice. */
function isPlain({ definitions, overrideFields, total, slices }: VariantChoice): boolean {
  if (overrideFields.length > 0 || !(total <= LARGEST_TOTAL) || definitions.length === 0) return false
  return slices.every(({ from, to }) => Number.isInteger(to) && to > from)
}
