import { OFF, ON } from './feature.ts'
import { drawHash, type Lanes } from './lanes.ts'
import { IS_NEGATED, type RememberingRequest } from './registry.ts'
import { CONDITION_SIZE, ROLLOUT_SIZE, VARIANTS_SIZE } from './rows.ts'

/** Buckets of a percentage. */
export const PERCENT = 100
/** The sum of weights that user interfaces make: a constant divisor is several times as fast as any other. */
const USUAL_TOTAL = 1000

/** Flags that are one percentage. */
export function decideRollouts(
  rows: Int32Array,
  outcomes: Uint16Array,
  lanes: Lanes,
  request: RememberingRequest,
): void {
  for (let at = 0; at < rows.length; ) {
    const index = rows[at] as number
    const lane = lanes.at(index, request)
    const end = at + 2 + ROLLOUT_SIZE * (rows[at + 1] as number)
    for (at += 2; at < end; at += ROLLOUT_SIZE) {
      const bucket = lane.hasId
        ? (lane.hash(rows[at + 1] as number, rows[at + 2] as number, rows[at + 3] as number) >>> 0) % PERCENT
        : lanes.drawPercent(index, request)
      outcomes[rows[at] as number] = bucket < (rows[at + 4] as number) ? ON : OFF
    }
  }
}

/** Flags that are one condition which the memory tells: it holds where `isTrue` stands. */
export function decideListed(rows: Int32Array, outcomes: Uint16Array, memory: Int32Array, isTrue: number): void {
  for (let at = 0; at < rows.length; at += CONDITION_SIZE) {
    const ref = rows[at + 1] as number
    outcomes[rows[at] as number] = Number(memory[ref >> 2] === isTrue) ^ (ref & IS_NEGATED)
  }
}

/** Flags that are one condition which has to be asked. */
export function decideTested(rows: Int32Array, outcomes: Uint16Array, request: RememberingRequest): void {
  for (let at = 0; at < rows.length; at += CONDITION_SIZE) {
    outcomes[rows[at] as number] = request.holds(rows[at + 1] as number) ? ON : OFF
  }
}

/** Own variants of the flags that are on. */
export function decideVariants(
  rows: Int32Array,
  outcomes: Uint16Array,
  lanes: Lanes,
  request: RememberingRequest,
): void {
  for (let at = 0; at < rows.length; ) {
    const lane = lanes.at(rows[at] as number, request)
    const end = rows[at + 1] as number
    for (at += 2; at < end; ) {
      const flag = rows[at] as number
      const first = at + VARIANTS_SIZE
      if (outcomes[flag] === ON) {
        const hash = lane.hasId
          ? lane.hash(rows[at + 1] as number, rows[at + 2] as number, rows[at + 3] as number)
          : drawHash(request)
        const total = rows[at + 4] as number
        const bucket = total === USUAL_TOTAL ? (hash >>> 0) % USUAL_TOTAL : (hash >>> 0) % total
        let pair = first
        while ((rows[pair] as number) <= bucket) pair += 2
        outcomes[flag] = rows[pair + 1] as number
      }
      at = first + 2 * (rows[at + 5] as number)
    }
  }
}
