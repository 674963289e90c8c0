import { isObject } from '@burgee/kit/input/is-object'
import type { Feature, Segment } from '@burgee/protocol/feature'

/** Parts of an upstream's response to `GET /client/features` that the proxy reads. */
export interface FeatureDocument {
  readonly version: number
  readonly features: readonly Feature[]
  readonly segments: readonly Segment[]
}

/**
 * Checks the outer structure of an upstream response: an object with a list of named features and an optional list of
 * segments. The engine later validates the content of each feature. Throws an Error that describes the problem.
 */
export function parseFeatureDocument(value: unknown): FeatureDocument {
  if (!isObject(value)) throw new Error('The configuration is not a JSON object')
  const { features, segments, version } = value
  if (!Array.isArray(features)) throw new Error('The configuration has no list "features"')
  const unnamed = features.findIndex((feature) => !isObject(feature) || typeof feature.name !== 'string')
  if (unnamed >= 0) throw new Error(`The configuration has a feature without a name at features[${unnamed}]`)
  if (segments !== undefined && segments !== null && !Array.isArray(segments)) {
    throw new Error('The "segments" of the configuration are not a list')
  }
  return { version: typeof version === 'number' ? version : 2, features, segments: segments ?? [] }
}
