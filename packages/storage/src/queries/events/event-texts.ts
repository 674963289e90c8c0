/** Yields the texts in a JSON value that a search looks at: strings and numbers, but no property names. */
export function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'number') yield String(value)
  else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) yield* textsIn(inner)
  }
}

/** Returns true if any text in a JSON value contains `wanted`, ignoring case. `wanted` must be in lower case. */
export function containsText(value: unknown, wanted: string): boolean {
  for (const text of textsIn(value)) if (text.toLowerCase().includes(wanted)) return true
  return false
}
