import { compileValidator } from '@burgee/kit/input/validation'
import { StateDocument } from '@burgee/protocol/administration/state'
import { RESTRICTIONS } from '@burgee/protocol/targeting/restriction'
import { parse, YAMLParseError } from 'yaml'

/** Maximum size of a document, enough for some thousand flags. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024
/** Maximum number of YAML aliases per anchor. With more aliases, a short text could use up all memory. */
const MAX_ALIASES = 100

const validate = compileValidator(StateDocument, 'body', RESTRICTIONS)

/** Thrown if a text is neither JSON nor YAML. */
export class UnreadableDocument extends Error {
  override readonly name = 'UnreadableDocument'
}

/**
 * Parses a state document from JSON or YAML. Throws UnreadableDocument if the text is neither, and InvalidRequest if
 * the document does not match the schema.
 */
export function parseStateDocument(text: string): StateDocument {
  return validateState(parseDocument(text))
}

/** Validates a parsed state document. Throws InvalidRequest. */
export function validateState(value: unknown): StateDocument {
  return validate(value) as StateDocument
}

function describeYamlError(error: unknown): string {
  if (error instanceof YAMLParseError && error.code === 'RESOURCE_EXHAUSTION') return 'it nests too deeply'
  return error instanceof Error ? error.message : String(error)
}

/** Parses JSON or YAML without validating the content. Throws UnreadableDocument. */
export function parseDocument(text: string): unknown {
  try {
    // JSON parses much faster than YAML, and is the default format of an export
    if (/^\s*\{/.test(text)) return JSON.parse(text)
  } catch {
    // not JSON, but YAML flow mappings also begin with a brace
  }
  try {
    return parse(text, { maxAliasCount: MAX_ALIASES, prettyErrors: false }) as unknown
  } catch (error) {
    throw new UnreadableDocument(`The document is neither JSON nor YAML: ${describeYamlError(error)}`)
  }
}
