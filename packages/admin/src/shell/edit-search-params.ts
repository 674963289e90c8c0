/** What the address of a list with an editor says: what is edited (`new` for a new one), or whose uses are shown. */
export interface EditSearch {
  readonly edit?: string
  readonly uses?: string
}

/** Reads the address; names that look like numbers are names. */
export function readEditSearch({ edit, uses }: Record<string, unknown>): EditSearch {
  return { ...text('edit', edit), ...text('uses', uses) }
}

function text(name: string, value: unknown): Readonly<Record<string, string>> {
  if (typeof value === 'number' || typeof value === 'boolean') return { [name]: String(value) }
  return typeof value === 'string' && value !== '' ? { [name]: value } : {}
}
