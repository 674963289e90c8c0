/** What the address of a comparison says. */
export interface CompareSearch {
  readonly from?: string
  readonly to?: string
  /** Names of flags, with commas between them; all of the project where it is left out. */
  readonly flags?: string
  /** Equal flags are shown as well. */
  readonly equal?: boolean
}

/** Reads the address; what is not understood is left out. */
export function readCompareSearch(given: Record<string, unknown>): CompareSearch {
  const texts = (['from', 'to', 'flags'] as const).flatMap((name) => {
    const value = typeof given[name] === 'number' ? String(given[name]) : given[name]
    return typeof value === 'string' && value !== '' ? [[name, value]] : []
  })
  return { ...Object.fromEntries(texts), ...(given.equal === true ? { equal: true } : {}) }
}

/** Two environments that are compared. */
export interface Places {
  readonly from: string
  readonly to: string
}
