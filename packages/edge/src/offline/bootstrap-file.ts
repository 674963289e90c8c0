import { readFile } from 'node:fs/promises'
import { isObject } from '@burgee/kit/input/is-object'
import type { EvaluationProfile } from '@burgee/protocol/evaluation-profile'
import type { Feature } from '@burgee/protocol/feature'
import { type FeatureDocument, parseFeatureDocument } from '@burgee/serving/document/feature-document'

/** Flag in the short form of a bootstrap file. */
interface ShortFlag {
  readonly enabled: boolean
  readonly variant?: string | null
}

/**
 * Reads a file of flags: either a reply to `GET /api/client/features`, or the short form `{"flagOne": {"enabled": true,
 * "variant": "v1"}, "flagTwo": {"enabled": false}}`. Rejects with an Error that describes the problem. See the wire
 * protocol, section "Files and offline mode".
 */
export async function readBootstrapFile(path: string, profile: EvaluationProfile): Promise<FeatureDocument> {
  return parseBootstrap(await readFile(path, 'utf8'), profile)
}

/** Parses the text of a bootstrap file. Throws an Error that describes the problem. */
export function parseBootstrap(text: string, profile: EvaluationProfile): FeatureDocument {
  const value = parseJson(text)
  if (isShort(value)) return toDocument(value)
  const document = parseFeatureDocument(value)
  return profile === 'yggdrasil' ? { ...document, features: document.features.map(withStrategies) } : document
}

/**
 * Adds an empty list if a flag has no strategies, so that the flag is on without restrictions, as in the engine of
 * Unleash Edge.
 */
function withStrategies(feature: Feature): Feature {
  const strategies: unknown = feature.strategies
  return strategies === undefined || strategies === null ? { ...feature, strategies: [] } : feature
}

/** Parses JSON. Replaces the error message of the parser, which would quote the file. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('The file is not JSON')
  }
}

function isShort(value: unknown): value is Record<string, ShortFlag> {
  return isObject(value) && Object.values(value).every(isShortFlag)
}

function isShortFlag(value: unknown): boolean {
  if (!isObject(value) || typeof value.enabled !== 'boolean') return false
  return value.variant === undefined || value.variant === null || typeof value.variant === 'string'
}

function toDocument(flags: Readonly<Record<string, ShortFlag>>): FeatureDocument {
  const features = Object.entries(flags).map(
    ([name, { enabled, variant }]): Feature => ({
      name,
      type: 'release',
      project: 'default',
      enabled,
      strategies: [{ name: 'default' }],
      variants: typeof variant === 'string' ? [toVariant(variant)] : [],
    }),
  )
  return { version: 2, features, segments: [] }
}

function toVariant(name: string) {
  return { name, weight: 1000, weightType: 'fix', stickiness: 'default' }
}
