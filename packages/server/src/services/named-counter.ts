import type { Labels } from '@burgee/kit/series/series'

/** Maximum number of label combinations that hold names; further ones are counted as `other`. */
const MAX_NAMED = 10_000
const OTHER = 'other'
/** Label value in place of every name that belongs to a private project. */
export const PRIVATE_LABEL = '(private)'

/** The flag that a value was counted for, and its project at that time. */
export interface CountedFlag {
  readonly flag: string
  readonly project: string
}

/** Who may read the name of a flag: everybody, or not; `unknown` while that could not be looked up. */
export type Visibility = 'public' | 'private' | 'unknown'

interface Row extends CountedFlag {
  readonly labels: Labels
  amount: number
}

/**
 * Counter whose labels name flags, projects and applications. What is private is decided when the counter is read, so
 * that a project that becomes private takes its earlier names out of the series.
 */
export class NamedCounter {
  readonly #names: readonly string[]
  readonly #rows = new Map<string, Row>()

  /** @param names labels that hold names */
  constructor(names: readonly string[]) {
    this.#names = names
  }

  /** Adds to the value of these labels, or to that of `other` if there are too many combinations. */
  add(amount: number, labels: Labels, counted: CountedFlag): void {
    const key = JSON.stringify([counted.project, ...Object.values(labels)])
    const known = this.#rows.get(key)
    if (known !== undefined) known.amount += amount
    else if (this.#rows.size < MAX_NAMED) this.#rows.set(key, { ...counted, labels, amount })
    else this.#addToOther(amount, labels)
  }

  #addToOther(amount: number, labels: Labels): void {
    const others = replaceNames(labels, this.#names, OTHER)
    const key = JSON.stringify([OTHER, others])
    const row = this.#rows.get(key) ?? { flag: '', project: '', labels: others, amount: 0 }
    row.amount += amount
    this.#rows.set(key, row)
  }

  /** Names of the flags that were counted. */
  flags(): string[] {
    return [...new Set([...this.#rows.values()].map(({ flag }) => flag))].filter((flag) => flag !== '')
  }

  /** Values by labels; those of private projects are added up without names, and unknown ones are left out. */
  read(visibilityOf: (counted: CountedFlag) => Visibility): (readonly [Labels, number])[] {
    const sums = new Map<string, [Labels, number]>()
    for (const row of this.#rows.values()) {
      const visibility = visibilityOf(row)
      if (visibility === 'unknown') continue
      const labels = visibility === 'private' ? replaceNames(row.labels, this.#names, PRIVATE_LABEL) : row.labels
      const key = JSON.stringify(labels)
      sums.set(key, [labels, (sums.get(key)?.[1] ?? 0) + row.amount])
    }
    return [...sums.values()]
  }
}

function replaceNames(labels: Labels, names: readonly string[], by: string): Labels {
  return { ...labels, ...Object.fromEntries(names.map((name) => [name, by])) }
}
