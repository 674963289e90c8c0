import { OFF, ON } from '../rules/feature.ts'
import { partOf, percentOf } from '../rules/hash.ts'
import { drawHash, type Lane, type Lanes } from './ids.ts'
import { IS_NEGATED, type RememberingRequest } from './registry.ts'
import { CONDITION_SIZE, ROLLOUT_SIZE, VARIANTS_SIZE } from './rows.ts'

// V8 reads a constant of another module anew for each row, and knows one of this module
const ROLLOUT = ROLLOUT_SIZE
const VARIANTS = VARIANTS_SIZE

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
    const from = at + 2
    at = from + ROLLOUT * (rows[at + 1] as number)
    if (lane.hasId) {
      placeByHash(rows, from, at, outcomes, lane)
      continue
    }
    for (let row = from; row < at; row += ROLLOUT) {
      outcomes[rows[row] as number] = lanes.drawPercent(index, request) < (rows[row + 4] as number) ? ON : OFF
    }
  }
}

/**
 * Rows of one lane. Written without a branch on who is in: that cannot be foretold, and a wrong guess of the processor
 * costs more than the hash.
 */
function placeByHash(rows: Int32Array, from: number, to: number, outcomes: Uint16Array, lane: Lane): void {
  for (let at = from; at < to; at += ROLLOUT) {
    const hash = lane.hash(rows[at + 1] as number, rows[at + 2] as number, rows[at + 3] as number)
    outcomes[rows[at] as number] = (percentOf(hash) - (rows[at + 4] as number)) >>> 31 // ON is 1
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

/** Own variants of the flags that are on. The slice is found without a branch, as above. */
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
      const first = at + VARIANTS
      const last = first + 2 * (rows[at + 5] as number) - 2
      if (outcomes[flag] === ON) {
        const hash = lane.hasId
          ? lane.hash(rows[at + 1] as number, rows[at + 2] as number, rows[at + 3] as number)
          : drawHash(request)
        const bucket = partOf(hash, rows[at + 4] as number)
        let pair = first
        for (let other = first; other < last; other += 2) pair += 2 & ~((bucket - (rows[other] as number)) >> 31)
        outcomes[flag] = rows[pair + 1] as number
      }
      at = last + 2
    }
  }
}
