import { OFF, ON } from '../rules/feature.ts'
import { toPercentBucket } from '../rules/hash.ts'
import type { CachingRequest } from './registry.ts'
import { hashAt, type PreparedId, type RequestIds } from './request-ids.ts'
import { ROLLOUT_SIZE } from './rows.ts'

// Local copy of the constant, because V8 inlines it, whereas it would reload an imported constant for each row.
const ROLLOUT = ROLLOUT_SIZE

/**
 * Returns true if a percentage includes the request. The id and the prefix to hash are described at position `at` of
 * `code`.
 */
export function isWithinPercentage(
  percentage: number,
  code: Int32Array,
  at: number,
  ids: RequestIds,
  request: CachingRequest,
): boolean {
  const number = code[at] as number
  const id = ids.at(number, request)
  if (!id.isThere) return ids.drawPercent(number, request) < percentage
  return toPercentBucket(hashAt(id, code, at)) < percentage
}

/** Decides all flags that have one percentage and no conditions. */
export function decideRollouts(
  rows: Int32Array,
  outcomes: Uint16Array,
  ids: RequestIds,
  request: CachingRequest,
): void {
  for (let at = 0; at < rows.length; ) {
    const number = rows[at] as number
    const id = ids.at(number, request)
    const from = at + 2
    at = from + ROLLOUT * (rows[at + 1] as number)
    if (id.isThere) {
      decideByHash(rows, from, at, outcomes, id)
      continue
    }
    for (let row = from; row < at; row += ROLLOUT) {
      outcomes[rows[row] as number] = ids.drawPercent(number, request) < (rows[row + 4] as number) ? ON : OFF
    }
  }
}

/**
 * Decides the rows that use the same id. Uses no branches, because the result is unpredictable and a branch
 * misprediction would cost more than the hash.
 */
function decideByHash(rows: Int32Array, from: number, to: number, outcomes: Uint16Array, id: PreparedId): void {
  for (let at = from; at < to; at += ROLLOUT) {
    const hash = id.hash(rows[at + 1] as number, rows[at + 2] as number, rows[at + 3] as number)
    outcomes[rows[at] as number] = (toPercentBucket(hash) - (rows[at + 4] as number)) >>> 31 // ON is 1
  }
}
