import type { FeatureDocument } from '@burgee/engine'

/** Change to a document in the delta API. Source: client-specification 19, 20. */
export type DeltaEvent =
  | { readonly type: 'hydration'; readonly features: readonly Named[]; readonly segments: readonly Identified[] }
  | { readonly type: 'feature-updated'; readonly feature: Named }
  | { readonly type: 'feature-removed'; readonly featureName: string }
  | { readonly type: 'segment-updated'; readonly segment: Identified }
  | { readonly type: 'segment-removed'; readonly segmentId: number }

interface Named {
  readonly name: string
}

interface Identified {
  readonly id: number
}

/** Applies a sequence of events. Throws on an unknown event. */
export function foldEvents(events: readonly DeltaEvent[]): FeatureDocument {
  const features = new Map<string, Named>()
  const segments = new Map<number, Identified>()
  for (const event of events) {
    switch (event.type) {
      case 'hydration':
        features.clear()
        segments.clear()
        for (const feature of event.features) features.set(feature.name, feature)
        for (const segment of event.segments) segments.set(segment.id, segment)
        break
      case 'feature-updated':
        features.set(event.feature.name, event.feature)
        break
      case 'feature-removed':
        features.delete(event.featureName)
        break
      case 'segment-updated':
        segments.set(event.segment.id, event.segment)
        break
      case 'segment-removed':
        segments.delete(event.segmentId)
        break
      default:
        throw new TypeError(`unknown event ${JSON.stringify(event satisfies never)}`)
    }
  }
  return { features: [...features.values()], segments: [...segments.values()] }
}
