/**
 * URL parameters of a list with an editor: the entry that is edited (`new` for a new one), or the entry whose usages
 * are shown.
 */
export interface EditSearch {
  readonly edit?: string
  readonly uses?: string
}

/** Parses the URL parameters. Names that look like numbers stay strings. */
export function parseEditSearch({ edit, uses }: Record<string, unknown>): EditSearch {
  return { ...parseName('edit', edit), ...parseName('uses', uses) }
}

function parseName(name: string, value: unknown): Readonly<Record<string, string>> {
  if (typeof value === 'number' || typeof value === 'boolean') return { [name]: String(value) }
  return typeof value === 'string' && value !== '' ? { [name]: value } : {}
}
