/**
 * Returns an equal string that is stored as one flat piece. V8 represents a concatenated string as a tree of parts,
 * which it traverses for every longer string built from it. Flattening pays off for strings that are used many times.
 *
 * @param text JSON is always well-formed Unicode; a lone surrogate would be replaced
 */
export function flattenText(text: string): string {
  return Buffer.from(text).toString()
}
