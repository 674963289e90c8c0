import { compileValidator } from '@burgee/kit/input/validation'
import { StateDocument } from '@burgee/protocol/administration/state'
import { RESTRICTIONS } from '@burgee/protocol/targeting/restriction'
import { parse } from 'yaml'

/** The longest text of a document: some thousand flags. */
export const LONGEST_DOCUMENT_BYTES = 16 * 1024 * 1024
/** Of one thing that is written once and meant in several places; more would fill the memory from a short text. */
const MOST_ALIASES = 100

const validate = compileValidator(StateDocument, 'body', RESTRICTIONS)

/** What is no document of an installation, in whichever notation. */
export class UnreadableDocument extends Error {
  override readonly name = 'UnreadableDocument'
}

/**
 * A document from its text, JSON or YAML. Throws UnreadableDocument for what is neither, InvalidRequest for what is no
 * such document.
 */
export function readStateDocument(text: string): StateDocument {
  return validate(documentIn(text)) as StateDocument
}

/** What a text says in JSON or YAML, whether or not it is such a document. Throws UnreadableDocument. */
export function documentIn(text: string): unknown {
  try {
    // much faster, and what an export gives by default
    if (/^\s*\{/.test(text)) return JSON.parse(text)
  } catch {
    // YAML has such braces too
  }
  try {
    return parse(text, { maxAliasCount: MOST_ALIASES, prettyErrors: false }) as unknown
  } catch (error) {
    const told = error instanceof Error ? error.message : String(error)
    const reason = told.includes('call stack') ? 'it nests too deeply' : told
    throw new UnreadableDocument(`The document is neither JSON nor YAML: ${reason}`)
  }
}
