import { invalid } from '@burgee/kit/input/refusals'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import type { ConfiguredLimits } from '../../core/resource-limits.ts'

/**
 * Rejects changes that give a strategy more segments than allowed. Applies to all changes. A strategy that already
 * exceeds the limit can keep or lose segments. Throws ValidationError.
 */
export function requireWithinLimits({ strategySegments: most }: ConfiguredLimits, events: readonly NewEvent[]): void {
  for (const { type, data, preData } of events) {
    if (type !== 'feature-strategy-add' && type !== 'feature-strategy-update') continue
    const count = countSegments(data)
    if (count <= most || count <= countSegments(preData)) continue
    throw invalid(`"segments" must not have more than ${most} items`, 'body/segments')
  }
}

function countSegments(state: unknown): number {
  const { segments } = (state ?? {}) as { readonly segments?: readonly number[] }
  return segments?.length ?? 0
}
