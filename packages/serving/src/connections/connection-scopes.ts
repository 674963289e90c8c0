import { getQueryKey } from '../sdk/deltas.ts'
import type { FlagQuery } from '../sdk/downloads.ts'
import { hashText } from './connection-key.ts'

interface ScopeEntry {
  readonly key: string
  readonly query: FlagQuery
  readonly hash: number
  /** Number that identifies the scope; negative after the scope has been removed. */
  number: number
}

/** Bounded table that numbers the scopes of connections. */
export class ConnectionScopes {
  readonly #maxScopes: number
  /** Scopes by query object: polls that reuse the same query object find their scope without building a string. */
  readonly #byQuery = new WeakMap<FlagQuery, ScopeEntry>()
  readonly #byKey = new Map<string, ScopeEntry>()
  readonly #entries: (ScopeEntry | undefined)[] = []
  readonly #free: number[] = []

  constructor(maxScopes: number) {
    this.#maxScopes = maxScopes
  }

  get size(): number {
    return this.#byKey.size
  }

  /** Returns the number of a scope, assigning one if necessary, or -1 if the table is full. */
  add(query: FlagQuery): number {
    const known = this.#byQuery.get(query)
    if (known !== undefined && known.number >= 0) return known.number
    const key = getQueryKey(query)
    const entry = this.#byKey.get(key) ?? this.#create(key, query)
    if (entry === undefined) return -1
    this.#byQuery.set(query, entry)
    return entry.number
  }

  get(number: number): FlagQuery | undefined {
    return this.#entries[number]?.query
  }

  /** Returns a hash of a scope; all nodes compute the same hash. */
  getHash(number: number): number {
    return this.#entries[number]?.hash ?? 0
  }

  /** Removes all scopes whose numbers are not listed as in use. */
  retain(used: ReadonlySet<number>): void {
    for (const entry of this.#byKey.values()) {
      if (used.has(entry.number)) continue
      this.#byKey.delete(entry.key)
      this.#entries[entry.number] = undefined
      this.#free.push(entry.number)
      entry.number = -1
    }
  }

  #create(key: string, { environment, projects, namePrefix, tags }: FlagQuery): ScopeEntry | undefined {
    if (this.#byKey.size >= this.#maxScopes) return undefined
    const number = this.#free.pop() ?? this.#entries.length
    const query = { environment, projects, namePrefix, tags }
    const entry: ScopeEntry = { key, query, hash: hashText(key), number }
    this.#entries[number] = entry
    this.#byKey.set(key, entry)
    return entry
  }
}
