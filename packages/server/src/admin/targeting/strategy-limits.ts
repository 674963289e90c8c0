import { invalid } from '@burgee/kit/input/refusals'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import { type ConfiguredLimits, RESOURCE_LIMITS } from '../../core/resource-limits.ts'

/** List that belongs to a strategy or to a flag's environment, with its maximum length. */
interface LimitedList {
  readonly list: 'constraints' | 'segments' | 'variants'
  readonly max: number
}

/**
 * Rejects changes that give a strategy more segments, constraints or variants than allowed, or a flag more variants
 * than allowed in an environment. Applies to changes of every kind. A list that is already too long may stay as it is
 * or lose items. Throws ValidationError.
 */
export function requireWithinLimits({ strategySegments }: ConfiguredLimits, events: readonly NewEvent[]): void {
  const variants: LimitedList = { list: 'variants', max: RESOURCE_LIMITS.variants }
  const ofStrategy: readonly LimitedList[] = [
    { list: 'segments', max: strategySegments },
    { list: 'constraints', max: RESOURCE_LIMITS.strategyConstraints },
    variants,
  ]
  for (const { type, data, preData } of events) {
    const isStrategy = type === 'feature-strategy-add' || type === 'feature-strategy-update'
    const lists = isStrategy ? ofStrategy : type === 'feature-environment-variants-updated' ? [variants] : []
    for (const { list, max } of lists) {
      const count = countItems(data, list)
      if (count <= max || count <= countItems(preData, list)) continue
      throw invalid(`"${list}" must not have more than ${max} items`, `body/${list}`)
    }
  }
}

function countItems(state: unknown, list: LimitedList['list']): number {
  const items = ((state ?? {}) as Partial<Record<string, readonly unknown[]>>)[list]
  return items?.length ?? 0
}
