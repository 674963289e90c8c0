import { isObject } from '@burgee/kit/input/is-object'
import type { Feature, Segment } from '@burgee/protocol/feature'
import { type FeatureDocument, parseFeatureDocument } from '../document/feature-document.ts'

/**
 * Configuration that is updated by the messages of a stream: either `{"events": […]}`, or a whole configuration.
 * Validates only the outer structure of messages, as for a download. The flags are validated later, when they are
 * accepted. See the wire protocol, section "Delta events".
 */
export class DeltaDocument {
  /**
   * Configuration as received from the upstream, until an event changes it. Malformed parts are passed to consumers
   * unmodified.
   */
  #whole: FeatureDocument | undefined
  #features = new Map<string, Feature>()
  #segments = new Map<unknown, Segment>()

  /** Starts over from a configuration that was received as a whole. */
  constructor(whole: FeatureDocument) {
    this.#replace(whole)
  }

  /** Current configuration. */
  get document(): FeatureDocument {
    if (this.#whole !== undefined) return this.#whole
    return { version: 2, features: [...this.#features.values()], segments: [...this.#segments.values()] }
  }

  /**
   * Applies a message. Ignores events of unknown types. Throws an Error that describes the problem. If an event of a
   * message fails, the events before it remain applied.
   */
  apply(events: readonly unknown[]): void {
    for (const event of events) this.#applyOne(event)
  }

  #applyOne(event: unknown): void {
    if (!isObject(event)) throw new Error('The stream has an event that is not a JSON object')
    if (event.type === 'hydration') {
      this.#replace(parseFeatureDocument(event))
      return
    }
    this.#whole = undefined
    if (event.type === 'feature-updated') {
      const { features } = parseFeatureDocument({ features: [event.feature] })
      for (const feature of features) this.#features.set(feature.name, feature)
    } else if (event.type === 'feature-removed') this.#features.delete(String(event.featureName))
    else if (event.type === 'segment-updated') {
      const { segment } = event
      if (!isObject(segment)) throw new Error('The stream has a segment that is not a JSON object')
      this.#segments.set(segment.id, segment as unknown as Segment)
    } else if (event.type === 'segment-removed') this.#segments.delete(event.segmentId)
  }

  #replace(whole: FeatureDocument): void {
    this.#whole = whole
    this.#features = new Map(whole.features.map((feature) => [feature.name, feature]))
    this.#segments = new Map(whole.segments.map((segment, index) => [isObject(segment) ? segment.id : index, segment]))
  }
}
