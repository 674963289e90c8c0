import type { EventType } from '@burgee/protocol/event'
import type { VariantDefinition } from '@burgee/protocol/feature'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import type { FeatureRow } from '@burgee/storage/queries/flags/features'
import { toFeatureState } from './feature-views.ts'

/** State of a flag before and after a change; `before` is omitted for a new flag, `after` for a deleted one. */
export interface FeatureChange {
  readonly before?: FeatureRow
  readonly after?: FeatureRow
  /** Variants of the flag, which the change does not affect. */
  readonly variants: readonly VariantDefinition[]
}

/**
 * Creates the event about a change to a flag itself, with the flag's full state before and after. Source: spec
 * "Events".
 */
export function buildFeatureEvent(type: EventType, { before, after, variants }: FeatureChange): NewEvent {
  const row = after ?? before
  return {
    type,
    project: row?.project,
    featureName: row?.name,
    ...(after === undefined ? {} : { data: toFeatureState(after, variants) }),
    ...(before === undefined ? {} : { preData: toFeatureState(before, variants) }),
  }
}
