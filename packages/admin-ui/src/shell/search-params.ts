/** Parses URL parameters that are strings. Ignores missing, empty and non-string values; numbers become strings. */
export function parseTexts<K extends string>(
  given: Readonly<Record<string, unknown>>,
  names: readonly K[],
): { readonly [P in K]?: string } {
  const found = names.flatMap((name) => {
    const value = given[name]
    const text = typeof value === 'number' || value === true ? String(value) : value
    return typeof text === 'string' && text !== '' ? [[name, text] as const] : []
  })
  return Object.fromEntries(found) as { [P in K]?: string }
}

/** Removes undefined and empty values from URL parameters. */
export function dropEmpty<T extends object>(search: T): { [P in keyof T]?: Exclude<T[P], undefined> } {
  const kept = Object.entries(search).filter(([, value]) => value !== undefined && value !== '')
  return Object.fromEntries(kept) as { [P in keyof T]?: Exclude<T[P], undefined> }
}
