import type { EventType } from '@burgee/protocol/event'
import type { VariantDefinition } from '@burgee/protocol/feature'
import type { NewEvent } from '../../store/events/events.ts'
import type { FeatureRow } from '../../store/features/features.ts'
import { featureState } from './feature-views.ts'

/** A flag before and after a change; what is left out was not there, or is no more. */
export interface FeatureChange {
  readonly before?: FeatureRow
  readonly after?: FeatureRow
  /** Its variants, which such a change leaves as they are. */
  readonly variants: readonly VariantDefinition[]
}

/** The event of a change of a flag itself, with its whole state before and after. Source: spec "Events". */
export function featureEvent(type: EventType, { before, after, variants }: FeatureChange): NewEvent {
  const row = after ?? before
  return {
    type,
    project: row?.project,
    featureName: row?.name,
    ...(after === undefined ? {} : { data: featureState(after, variants) }),
    ...(before === undefined ? {} : { preData: featureState(before, variants) }),
  }
}
