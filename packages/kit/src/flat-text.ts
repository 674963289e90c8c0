/**
 * The same text in one piece. V8 keeps a text that was put together as a tree of its parts, and walks the tree again for
 * everything longer that it becomes part of: worth its cost for what is used many times.
 *
 * @param text well-formed, as all JSON is: half a surrogate pair would be replaced
 */
export function flatText(text: string): string {
  return Buffer.from(text).toString()
}
