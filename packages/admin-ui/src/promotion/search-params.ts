/** URL parameters of a comparison. */
export interface CompareSearch {
  readonly from?: string
  readonly to?: string
  /** Comma-separated names of the compared flags. If undefined, all flags in the project are compared. */
  readonly flags?: string
  /** True if equal flags are shown too. */
  readonly equal?: boolean
}

/** Parses the URL parameters. Ignores invalid values. */
export function parseCompareSearch(given: Record<string, unknown>): CompareSearch {
  const texts = (['from', 'to', 'flags'] as const).flatMap((name) => {
    const value = typeof given[name] === 'number' ? String(given[name]) : given[name]
    return typeof value === 'string' && value !== '' ? [[name, value]] : []
  })
  return { ...Object.fromEntries(texts), ...(given.equal === true ? { equal: true } : {}) }
}

/** Two compared environments. */
export interface EnvironmentPair {
  readonly from: string
  readonly to: string
}
