import { SPLIT, TARGETING } from '../rules/reason.ts'
import { CHOICE, END, type EncodedFlag, EVERY_REQUEST, HASH_SIZE, NO_OUTCOME, STRATEGY } from './encode-flag.ts'
import type { CachingRequest } from './registry.ts'
import type { RequestIds } from './request-ids.ts'
import { isWithinPercentage } from './rollout-percentage.ts'

/** Reasons for the outcomes of a flag: one for when it is off, one for when it is on. */
export type FlagReasons = readonly [off: number, on: number]

/** Marker in place of a reason: the reason depends on the request. */
export const DEPENDS_ON_REQUEST = 255
const FULL_PERCENTAGE = 100
const NEVER_BY_PARENT: FlagReasons = [TARGETING, TARGETING]

/**
 * Returns the reasons that follow from the definition of a flag alone.
 *
 * @param isPossible true if the dependencies of the flag can be satisfied
 */
export function getFlagReasons({ constant, code, hasParents, reason }: EncodedFlag, isPossible: boolean): FlagReasons {
  if (!isPossible) return NEVER_BY_PARENT
  if (constant !== NO_OUTCOME) return [reason, reason]
  const strategies = [...decodeStrategies(code)]
  const isSplit = strategies.some(({ isPartial, isWeighted }) => isPartial || isWeighted)
  const [only, ...others] = strategies
  if (!isSplit && (others.length > 0 || hasParents)) return [TARGETING, TARGETING]
  if (only === undefined || others.length > 0) return [DEPENDS_ON_REQUEST, DEPENDS_ON_REQUEST]
  const { isPartial, isWeighted, conditions } = only
  const off = conditions > 0 || hasParents ? DEPENDS_ON_REQUEST : SPLIT
  return [isPartial ? off : TARGETING, isPartial || isWeighted ? SPLIT : TARGETING]
}

interface EncodedStrategy {
  readonly conditions: number
  /** Position at which the code contains the percentage of the strategy. */
  readonly at: number
  /** True for a percentage below 100. */
  readonly isPartial: boolean
  /** True for 100 %, which includes every context that contains the sticky field. */
  readonly isByField: boolean
  readonly isWeighted: boolean
}

/** Yields the strategies of the flag whose code begins at `start`. */
function* decodeStrategies(code: ArrayLike<number>, start = 0): Generator<EncodedStrategy> {
  const own = start + (code[start] as number)
  for (let from = start + 1; code[from] !== END; from += code[from] as number) {
    const conditions = code[from + STRATEGY.count] as number
    const at = from + STRATEGY.refs + conditions
    const percentage = code[at] as number
    const choice = at + 1 + (percentage === EVERY_REQUEST ? 0 : HASH_SIZE)
    yield {
      conditions,
      at,
      isPartial: percentage !== EVERY_REQUEST && percentage < FULL_PERCENTAGE,
      isByField: percentage === FULL_PERCENTAGE,
      isWeighted: isWeighted(code, choice) || (code[choice] === CHOICE.none && isWeighted(code, own)),
    }
  }
}

function isWeighted(code: ArrayLike<number>, choice: number): boolean {
  return code[choice] === CHOICE.sliced || code[choice] === CHOICE.asked
}

/**
 * Returns the reason for a flag whose dependencies are satisfied: the reason of the strategy that matched, or else the
 * strongest reason of all strategies. The result is TARGETING or stronger, because a flag that does not depend on the
 * request has a constant reason.
 */
export function walkReason(code: Int32Array, start: number, asking: CurrentRequest): number {
  let most = TARGETING
  for (const strategy of decodeStrategies(code, start)) {
    const { conditions, at, isWeighted } = strategy
    if (!holdsAll(code, at - conditions, at, asking.request)) {
      most = Math.max(most, TARGETING)
      continue
    }
    if (strategy.isPartial || strategy.isByField) {
      const own = strategy.isPartial ? SPLIT : TARGETING
      if (mayInclude(code, strategy, asking)) return isWeighted ? SPLIT : own
      most = Math.max(most, own)
      continue
    }
    if (isWeighted) return SPLIT
    return conditions > 0 ? TARGETING : most
  }
  return most
}

/** The current request, with its ids. */
interface CurrentRequest {
  readonly ids: RequestIds
  readonly request: CachingRequest
}

/**
 * Returns true if the percentage includes the request, or could include it at random. Draws no second random number,
 * which could differ from the first.
 */
function mayInclude(code: Int32Array, { at, isPartial }: EncodedStrategy, { ids, request }: CurrentRequest): boolean {
  const id = code[at + 1] as number
  if (ids.at(id, request).isThere) return isWithinPercentage(code[at] as number, code, at + 1, ids, request)
  return isPartial && ids.draws(id)
}

function holdsAll(code: Int32Array, from: number, to: number, request: CachingRequest): boolean {
  for (let at = from; at < to; at++) if (!request.holds(code[at] as number)) return false
  return true
}
