import type { Feature, Segment } from '@burgee/protocol/feature'
import { type FeatureDocument, isObject, readDocument } from '../document/feature-document.ts'

/**
 * A configuration that is brought on by the messages of a stream: `{"events": […]}`, or a whole configuration. The frame
 * is checked like that of a download; what is inside a flag is judged where it is taken. Source: wire protocol "Delta
 * events"
 */
export class DeltaDocument {
  /** As it came, until it is changed: whoever takes flags of it sees what is wrong with it. */
  #whole: FeatureDocument | undefined
  #features = new Map<string, Feature>()
  #segments = new Map<unknown, Segment>()

  /** Begins with a configuration. */
  constructor(whole: FeatureDocument) {
    this.#replace(whole)
  }

  /** As it is now. */
  get document(): FeatureDocument {
    if (this.#whole !== undefined) return this.#whole
    return { version: 2, features: [...this.#features.values()], segments: [...this.#segments.values()] }
  }

  /**
   * Applies a message; events of no known type are left out. Throws an Error that says what is wrong; what came before it
   * in the message is applied then.
   */
  apply(events: readonly unknown[]): void {
    for (const event of events) this.#applyOne(event)
  }

  #applyOne(event: unknown): void {
    if (!isObject(event)) throw new Error('The stream has an event that is not a JSON object')
    if (event.type === 'hydration') {
      this.#replace(readDocument(event))
      return
    }
    this.#whole = undefined
    if (event.type === 'feature-updated') {
      const { features } = readDocument({ features: [event.feature] })
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
