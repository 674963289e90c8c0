/**
 * Returns the same text as one flat string. V8 represents a concatenated string as a tree of its parts and traverses
 * the tree for every longer string built from it. Flattening pays off for text that is used many times.
 *
 * @param text well-formed, as all JSON is; a lone surrogate would be replaced
 */
export function flattenText(text: string): string {
  return Buffer.from(text).toString()
}
