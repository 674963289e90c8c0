import type { Feature, Segment } from '@burgee/protocol/feature'

/** What an upstream answers to `GET /client/features`, as far as the proxy reads it. */
export interface FeatureDocument {
  readonly version: number
  readonly features: readonly Feature[]
  readonly segments: readonly Segment[]
}

/**
 * Checks the frame of an upstream answer: an object with a list of named features and, if there are any, a list of
 * segments. What is inside a feature is the engine's concern. Throws an Error that says what is wrong.
 */
export function readDocument(value: unknown): FeatureDocument {
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

/** Whether a value from JSON is an object, and neither a list nor null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
