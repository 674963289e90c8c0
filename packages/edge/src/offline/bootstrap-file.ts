import { readFile } from 'node:fs/promises'
import type { Feature } from '@burgee/protocol/feature'
import { type FeatureDocument, isObject, readDocument } from '@burgee/serving/document/feature-document'

/** A flag of the short form. */
interface ShortFlag {
  readonly enabled: boolean
  readonly variant?: string | null
}

/**
 * Reads a file of flags: the answer of `GET /api/client/features`, or the short form
 * `{"flagOne": {"enabled": true, "variant": "v1"}, "flagTwo": {"enabled": false}}`. Rejects with an Error that says what
 * is wrong with it. Source: wire protocol "Files and offline mode"
 */
export async function readBootstrapFile(path: string): Promise<FeatureDocument> {
  return bootstrapOf(await readFile(path, 'utf8'))
}

/** The same for the text of such a file. Throws an Error that says what is wrong with it. */
export function bootstrapOf(text: string): FeatureDocument {
  const value = parsed(text)
  return isShort(value) ? documentOf(value) : readDocument(value)
}

/** The parser's own message would quote the file. */
function parsed(text: string): unknown {
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

function documentOf(flags: Readonly<Record<string, ShortFlag>>): FeatureDocument {
  const features = Object.entries(flags).map(
    ([name, { enabled, variant }]): Feature => ({
      name,
      type: 'release',
      project: 'default',
      enabled,
      strategies: [{ name: 'default' }],
      variants: typeof variant === 'string' ? [variantOf(variant)] : [],
    }),
  )
  return { version: 2, features, segments: [] }
}

function variantOf(name: string) {
  return { name, weight: 1000, weightType: 'fix', stickiness: 'default' }
}
