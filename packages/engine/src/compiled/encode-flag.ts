import { ALWAYS, NEVER } from '../rules/compilation.ts'
import type { CompiledDependency } from '../rules/dependencies.ts'
import { type CompiledFeature, type FlagStrategy, OFF, ON } from '../rules/feature.ts'
import type { HashPrefix } from '../rules/hash.ts'
import { getConstantReason } from '../rules/reason.ts'
import type { Stickiness } from '../rules/stickiness.ts'
import type { CompiledStrategy } from '../rules/strategy.ts'
import type { VariantChoice } from '../rules/variants.ts'
import { READ_KINDS, READS, type Registry } from './registry.ts'

/** Decision rules of a flag, encoded as integers. */
export interface EncodedFlag {
  /** Outcome that the flag has for every context, ignoring parents; -1 if the outcome depends on the context. */
  readonly constant: number
  /**
   * Code of a flag without a constant outcome. The first integer is the position of the variant choice that the flag
   * itself defines. The strategies (see {@link STRATEGY}), {@link END} and this choice follow.
   */
  readonly code: readonly number[]
  readonly dependencies: readonly CompiledDependency[]
  /** True if the definition has parents; the flag then cannot be a parent itself. */
  readonly hasParents: boolean
  /** Context fields, ids and instants that the decision depends on, encoded as described at `READS`. */
  readonly reads: readonly number[]
  /** Reason for a constant outcome; meaningless if the outcome is not constant. */
  readonly reason: number
}

/**
 * Layout of an encoded strategy. The order is: length of the strategy, number of conditions, conditions, percentage,
 * hash, variant choice. If the percentage is {@link EVERY_REQUEST}, the hash is omitted.
 */
export const STRATEGY = { length: 0, count: 1, refs: 2 } as const
/** Terminator, found where the length of the next strategy would be. */
export const END = 0
/** Marker in place of a percentage: the strategy applies to every request and needs no id. */
export const EVERY_REQUEST = 0
/**
 * Number of integers that describe a hash: the number of the prepared id, then the state, tail and length of the
 * prefix.
 */
export const HASH_SIZE = 4

/** Kind of a variant choice: the first integer of an encoded choice, which determines the layout of the rest. */
export const CHOICE = {
  /** No variant. */
  none: 0,
  /** One integer follows: the outcome for every request. */
  fixed: 1,
  /**
   * The hash, the sum of weights and the number of slices follow, and then two integers per slice: its upper limit and
   * its outcome (-1 for none).
   */
  sliced: 2,
  /** One integer follows: the number of a chooser. */
  asked: 3,
} as const
/** Marker in place of an outcome: this list yields no variant, so the next list is used. */
export const NO_OUTCOME = -1

const MAX_TOTAL = 2 ** 31 - 1

/** Encodes a compiled flag as integers. Drops conditions that are always or never true. */
export function encodeFlag(feature: CompiledFeature, registry: Registry): EncodedFlag {
  const { dependencies } = feature
  const hasParents = dependencies.length > 0
  const common = { hasParents, reason: getConstantReason(feature, false) }
  const never: EncodedFlag = { ...common, constant: OFF, code: [], dependencies: [], reads: [] }
  if (!feature.isOn || !feature.strategies) return never
  const encoder = new FlagEncoder(registry)
  const own = encoder.encodeChoice(feature.variants, feature.variantOutcomes)
  const strategies =
    feature.strategies.length === 0
      ? [[0, 0, EVERY_REQUEST, CHOICE.none]]
      : encoder.encodeStrategies(feature.strategies)
  const [first] = strategies
  if (!first) return never
  if (isForEveryRequest(first)) {
    const constant = findConstant(first.slice(STRATEGY.refs + 1), own)
    if (constant !== undefined) {
      const reason = getConstantReason(feature, true)
      return { constant, code: [], dependencies, hasParents, reads: [], reason }
    }
  }
  for (const strategy of strategies) strategy[STRATEGY.length] = strategy.length
  const code = [0, ...strategies.flat(), END, ...own]
  code[0] = code.length - own.length
  return { ...common, constant: NO_OUTCOME, code, dependencies, reads: [...new Set(encoder.reads)] }
}

function isForEveryRequest(strategy: readonly number[]): boolean {
  return strategy[STRATEGY.count] === 0 && strategy[STRATEGY.refs] === EVERY_REQUEST
}

/**
 * Returns the outcome of the first choice, or of the next choice if the first one is empty. Returns undefined if the
 * outcome depends on the context.
 */
function findConstant(choice: readonly number[], next: readonly number[]): number | undefined {
  const [kind, outcome] = choice[0] === CHOICE.none ? next : choice
  if (kind === CHOICE.none) return ON
  return kind === CHOICE.fixed ? outcome : undefined
}

/** Encodes the parts of one flag. Also collects the context fields, ids and instants that these parts depend on. */
class FlagEncoder {
  readonly reads: number[] = []
  readonly #registry: Registry

  constructor(registry: Registry) {
    this.#registry = registry
  }

  /** Encodes the strategies that can match, ending with the first one that matches every request. */
  encodeStrategies(strategies: readonly FlagStrategy[]): number[][] {
    const written: number[][] = []
    for (const { strategy, outcomes } of strategies) {
      const conditions = this.#encodeConditions(strategy)
      if (!conditions) continue
      const code = [0, ...conditions, ...this.encodeChoice(strategy.variants, outcomes)]
      written.push(code)
      if (isForEveryRequest(code)) break
    }
    return written
  }

  /** Encodes a list of variants. */
  encodeChoice(choice: VariantChoice | undefined, outcomes: readonly (number | undefined)[]): number[] {
    if (!choice || choice.total <= 0) return [CHOICE.none]
    const { stickiness, prefix, total, slices } = choice
    if (!isPlain(choice)) {
      for (const field of choice.overrideFields) this.#read(field, READS.field)
      this.#read(this.#registry.getNumber(stickiness), READS.idOrChance)
      return [CHOICE.asked, this.#registry.addChooser((request) => outcomes[choice.choose(request)] ?? NO_OUTCOME)]
    }
    const pairs = slices.map(({ index, to }) => [to, outcomes[index] ?? NO_OUTCOME])
    const [first] = pairs
    if (pairs.length === 1 && first) return first[1] === NO_OUTCOME ? [CHOICE.none] : [CHOICE.fixed, first[1] as number]
    this.#read(this.#registry.getNumber(stickiness), READS.idOrChance)
    return [CHOICE.sliced, ...this.#hash(stickiness, prefix), total, pairs.length, ...pairs.flat()]
  }

  /**
   * Encodes the number of conditions, the conditions and the percentage; returns undefined for a strategy that never
   * matches.
   */
  #encodeConditions({ constraints, segments, isValid, own }: CompiledStrategy): number[] | undefined {
    if (!isValid || own.test === NEVER) return undefined
    const refs = this.#registry.toRefs(constraints)
    if (!refs) return undefined
    for (const segment of segments) {
      const more = segment && this.#registry.toSegmentRefs(segment)
      if (!more) return undefined
      refs.push(...more)
    }
    const percentage = own.rollout ? this.#encodePercentage(own.rollout) : [EVERY_REQUEST]
    if (!percentage) return undefined
    if (!own.rollout && own.test !== ALWAYS) {
      refs.push(this.#registry.addTest(own.test, [own.reads ? READS[own.reads] : READS.anything]))
    }
    this.reads.push(...this.#registry.listReads(refs))
    return [refs.length, ...refs, ...percentage]
  }

  #encodePercentage({
    stickiness,
    prefix,
    limit,
  }: NonNullable<CompiledStrategy['own']['rollout']>): number[] | undefined {
    if (!(limit >= 1)) return undefined // buckets begin at 1
    if (limit >= 100 && stickiness.drawsWithoutId) return [EVERY_REQUEST]
    this.#read(this.#registry.getNumber(stickiness), stickiness.drawsWithoutId ? READS.idOrChance : READS.id)
    return [Math.min(Math.floor(limit), 100), ...this.#hash(stickiness, prefix)]
  }

  #hash(stickiness: Stickiness, { state, tail, length }: HashPrefix): number[] {
    return [4 * this.#registry.getNumber(stickiness) + (length & 3), state, tail, length]
  }

  #read(what: number, how: number): void {
    this.reads.push(what * READ_KINDS + how)
  }
}

/** Returns true if the hash alone decides: there are no overrides, and every slice covers at least one whole bucket. */
function isPlain({ definitions, overrideFields, isVaried, total, slices }: VariantChoice): boolean {
  const canOverride = isVaried && overrideFields.length > 0
  if (canOverride || !(total <= MAX_TOTAL) || definitions.length === 0) return false
  return slices.every(({ from, to }) => Number.isInteger(to) && to > from)
}
