import { ON } from '../rules/feature.ts'
import { toBucket } from '../rules/hash.ts'
import type { CachingRequest } from './registry.ts'
import { drawHash, type RequestIds } from './request-ids.ts'
import { VARIANTS_SIZE } from './rows.ts'

// Local copy of the constant, because V8 inlines it, whereas it would reload an imported constant for each row.
const VARIANTS = VARIANTS_SIZE

/**
 * Chooses the variants for flags that are on, from the variants that the flags themselves define. The slice is searched
 * without branches, because the result is unpredictable and a branch misprediction would cost more than the rest of the
 * function.
 */
export function decideVariants(
  rows: Int32Array,
  outcomes: Uint16Array,
  ids: RequestIds,
  request: CachingRequest,
): void {
  for (let at = 0; at < rows.length; ) {
    const id = ids.at(rows[at] as number, request)
    const end = rows[at + 1] as number
    for (at += 2; at < end; ) {
      const flag = rows[at] as number
      const first = at + VARIANTS
      const last = first + 2 * (rows[at + 5] as number) - 2
      if (outcomes[flag] === ON) {
        const hash = id.isThere
          ? id.hash(rows[at + 1] as number, rows[at + 2] as number, rows[at + 3] as number)
          : drawHash(request)
        const bucket = toBucket(hash, rows[at + 4] as number)
        let pair = first
        for (let other = first; other < last; other += 2) pair += 2 & ~((bucket - (rows[other] as number)) >> 31)
        outcomes[flag] = rows[pair + 1] as number
      }
      at = last + 2
    }
  }
}
