import { Document, Scalar, visit } from 'yaml'

/**
 * Characters that JSON does not escape and that are unsafe in YAML. YAML 1.2 (5.1) allows these characters only as
 * escapes, or parsers of YAML 1.1 interpret them as line breaks (NEL and the line and paragraph separators).
 */
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufffe\uffff]/g

/** Serializes a document to YAML that every parser accepts: characters that YAML does not allow are escaped. */
export function toYaml(document: unknown): string {
  const yaml = new Document(document)
  const text = yaml.toString()
  if (text.search(UNPRINTABLE) < 0) return text
  visit(yaml, {
    Scalar: (_place, scalar) => {
      if (typeof scalar.value === 'string' && scalar.value.search(UNPRINTABLE) >= 0) scalar.type = Scalar.QUOTE_DOUBLE
    },
  })
  return escapeUnprintable(yaml.toString())
}

/** Escapes characters that are unsafe in YAML. The characters must be in double quotes. */
export function escapeUnprintable(text: string): string {
  return text.replaceAll(UNPRINTABLE, escapeCharacter)
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
