import type { Logger } from '@burgee/kit/log/logger'
import { type FeatureDocument, parseFeatureDocument } from '@burgee/serving/document/feature-document'
import { describeError } from '@burgee/serving/upstream/error-reason'
import type { EdgeSnapshot } from './edge-storage.ts'
import { readTokens } from './snapshot-tokens.ts'

/** JSON documents that an Unleash Edge has stored; a document that is missing is undefined. */
export interface ForeignTexts {
  /** An array of `{token, type, environment, projects, status}`. */
  readonly tokens: string | undefined
  /** An array of pairs `["<environment>", {version, features, segments?}]`. */
  readonly features: string | undefined
}

/**
 * Reads the state of an Unleash Edge, so that no state is lost when a node replaces it. Damaged parts are logged and
 * skipped. Returns undefined if no part can be used. Source: wire protocol "Files and offline mode"
 */
export function readForeignState({ tokens, features }: ForeignTexts, logger: Logger): EdgeSnapshot | undefined {
  const known = parseList(tokens, 'tokens', logger)
  const pairs = parseList(features, 'features', logger)
  if (known === undefined && pairs === undefined) return undefined
  const documents = new Map<string, FeatureDocument>()
  for (const pair of pairs ?? []) {
    const [environment, document]: unknown[] = Array.isArray(pair) ? pair : []
    if (typeof environment === 'string') readOne(environment, document, documents, logger)
  }
  return { tokens: readTokens(known ?? []), documents }
}

function readOne(name: string, value: unknown, documents: Map<string, FeatureDocument>, logger: Logger): void {
  try {
    documents.set(name, parseFeatureDocument(value))
  } catch (error) {
    logger.warn(
      `Cannot use the flags of the environment "${name}" from the backup of an Unleash Edge: ${describeError(error)}`,
    )
  }
}

function parseList(text: string | undefined, what: string, logger: Logger): readonly unknown[] | undefined {
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    if (Array.isArray(value)) return value
  } catch {
    // ignore the parser's message, because it would quote tokens
  }
  logger.warn(`Cannot use the ${what} from the backup of an Unleash Edge: they are not a JSON array`)
  return undefined
}
