import { OFF, ON } from '../rules/feature.ts'
import { percentOf } from '../rules/hash.ts'
import type { RememberingRequest } from './registry.ts'
import { hashAt, type PreparedId, type RequestIds } from './request-ids.ts'
import { ROLLOUT_SIZE } from './rows.ts'

// V8 reads a constant of another module anew for each row, and knows one of this module
const ROLLOUT = ROLLOUT_SIZE

/** Whether a percentage lets a request in, by the id that is hashed as `code` says from `at` on. */
export function isWithinPercentage(
  percentage: number,
  code: Int32Array,
  at: number,
  ids: RequestIds,
  request: RememberingRequest,
): boolean {
  const number = code[at] as number
  const id = ids.at(number, request)
  if (!id.isThere) return ids.drawPercent(number, request) < percentage
  return percentOf(hashAt(id, code, at)) < percentage
}

/** Decides all flags that have one percentage and no condition. */
export function decideRollouts(
  rows: Int32Array,
  outcomes: Uint16Array,
  ids: RequestIds,
  request: RememberingRequest,
): void {
  for (let at = 0; at < rows.length; ) {
    const number = rows[at] as number
    const id = ids.at(number, request)
    const from = at + 2
    at = from + ROLLOUT * (rows[at + 1] as number)
    if (id.isThere) {
      placeByHash(rows, from, at, outcomes, id)
      continue
    }
    for (let row = from; row < at; row += ROLLOUT) {
      outcomes[rows[row] as number] = ids.drawPercent(number, request) < (rows[row + 4] as number) ? ON : OFF
    }
  }
}

/**
 * Rows of one id. Written without a branch on who is in: that cannot be foretold, and a wrong guess of the processor
 * costs more than the hash.
 */
function placeByHash(rows: Int32Array, from: number, to: number, outcomes: Uint16Array, id: PreparedId): void {
  for (let at = from; at < to; at += ROLLOUT) {
    const hash = id.hash(rows[at + 1] as number, rows[at + 2] as number, rows[at + 3] as number)
    outcomes[rows[at] as number] = (percentOf(hash) - (rows[at + 4] as number)) >>> 31 // ON is 1
  }
}
