import { ALWAYS, NEVER } from '../rules/compilation.ts'
import type { CompiledDependency } from '../rules/dependencies.ts'
import { type CompiledFeature, OFF, ON, type Way } from '../rules/feature.ts'
import type { HashPrefix } from '../rules/hash.ts'
import type { Source } from '../rules/stickiness.ts'
import type { CompiledStrategy } from '../rules/strategy.ts'
import type { VariantChoice } from '../rules/variants.ts'
import { READ_KINDS, READS, type Registry } from './registry.ts'

/** How a flag is decided, as integers. */
export interface Plan {
  /** The outcome for everybody, parents aside; -1 when it depends on the context. */
  readonly constant: number
  /**
   * The rest of a flag without a constant: its ways one after the other, then {@link END}, with the choice of its own
   * variants at the place that the first integer tells. See {@link WAY} for a way.
   */
  readonly code: readonly number[]
  readonly dependencies: readonly CompiledDependency[]
  /** Whether the definition has parents; then it cannot be one. */
  readonly hasParents: boolean
  /** What it takes to decide the flag, as of `READS`. */
  readonly reads: readonly number[]
}

/**
 * A way in code: its length, a count and as many conditions, a percentage and, unless it is {@link EVERYBODY}, the
 * hash to place the id by, a choice of variants.
 */
export const WAY = { length: 0, count: 1, refs: 2 } as const
/** Stands where the next way would have its length. */
export const END = 0
/** In place of a percentage: no id is needed. */
export const EVERYBODY = 0
/** How many integers a hash takes: lane, state, tail, length of the prefix. */
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

/** Turns a compiled flag into integers; what is always or never true is gone from them. */
export function planOf(feature: CompiledFeature, registry: Registry): Plan {
  const { dependencies } = feature
  const hasParents = dependencies.length > 0
  const never: Plan = { constant: OFF, code: [], dependencies: [], hasParents, reads: [] }
  if (!feature.isOn || !feature.ways) return never
  const writer = new Writer(registry)
  const own = writer.choiceOf(feature.variants, feature.variantOutcomes)
  const ways = feature.ways.length === 0 ? [[0, 0, EVERYBODY, CHOICE.none]] : writer.waysOf(feature.ways)
  const [first] = ways
  if (!first) return never
  if (isForEverybody(first)) {
    const constant = constantOf(first.slice(WAY.refs + 1), own)
    if (constant !== undefined) return { constant, code: [], dependencies, hasParents, reads: [] }
  }
  for (const way of ways) way[WAY.length] = way.length
  const code = [0, ...ways.flat(), END, ...own]
  code[0] = code.length - own.length
  return { constant: NO_OUTCOME, code, dependencies, hasParents, reads: [...new Set(writer.reads)] }
}

function isForEverybody(way: readonly number[]): boolean {
  return way[WAY.count] === 0 && way[WAY.refs] === EVERYBODY
}

/** The outcome of a choice and the one that follows, when the context does not matter. */
function constantOf(choice: readonly number[], next: readonly number[]): number | undefined {
  const [kind, outcome] = choice[0] === CHOICE.none ? next : choice
  if (kind === CHOICE.none) return ON
  return kind === CHOICE.fixed ? outcome : undefined
}

/** Writes the parts of one flag and keeps what they read. */
class Writer {
  readonly reads: number[] = []
  readonly #registry: Registry

  constructor(registry: Registry) {
    this.#registry = registry
  }

  /** Ways that can be taken, up to the first that everybody takes. */
  waysOf(ways: readonly Way[]): number[][] {
    const written: number[][] = []
    for (const { strategy, outcomes } of ways) {
      const conditions = this.#conditionsOf(strategy)
      if (!conditions) continue
      const way = [0, ...conditions, ...this.choiceOf(strategy.variants, outcomes)]
      written.push(way)
      if (isForEverybody(way)) break
    }
    return written
  }

  /** A list of variants. */
  choiceOf(choice: VariantChoice | undefined, outcomes: readonly (number | undefined)[]): number[] {
    if (!choice || choice.total <= 0) return [CHOICE.none]
    const { source, prefix, total, slices } = choice
    if (!isPlain(choice)) {
      for (const slot of choice.overrideSlots) this.#read(slot, READS.field)
      this.#read(this.#registry.sourceOf(source), READS.sourceOrChance)
      return [CHOICE.asked, this.#registry.addChooser((request) => outcomes[choice.choose(request)] ?? NO_OUTCOME)]
    }
    const pairs = slices.map(({ index, to }) => [to, outcomes[index] ?? NO_OUTCOME])
    const [first] = pairs
    if (pairs.length === 1 && first) return first[1] === NO_OUTCOME ? [CHOICE.none] : [CHOICE.fixed, first[1] as number]
    this.#read(this.#registry.sourceOf(source), READS.sourceOrChance)
    return [CHOICE.sliced, ...this.#hash(source, prefix), total, pairs.length, ...pairs.flat()]
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

  #percentageOf({ source, prefix, limit }: NonNullable<CompiledStrategy['own']['rollout']>): number[] | undefined {
    if (!(limit >= 1)) return undefined // buckets begin at 1
    if (limit >= 100 && source.drawsWithoutId) return [EVERYBODY]
    this.#read(this.#registry.sourceOf(source), source.drawsWithoutId ? READS.sourceOrChance : READS.source)
    return [Math.min(Math.floor(limit), 100), ...this.#hash(source, prefix)]
  }

  #hash(source: Source, { state, tail, length }: HashPrefix): number[] {
    return [4 * this.#registry.sourceOf(source) + (length & 3), state, tail, length]
  }

  #read(what: number, how: number): void {
    this.reads.push(what * READ_KINDS + how)
  }
}

/** Whether whole buckets and nothing else decide: then every bucket belongs to a slice. */
function isPlain({ definitions, overrideSlots, total, slices }: VariantChoice): boolean {
  if (overrideSlots.length > 0 || !(total <= LARGEST_TOTAL) || definitions.length === 0) return false
  return slices.every(({ from, to }) => Number.isInteger(to) && to > from)
}
