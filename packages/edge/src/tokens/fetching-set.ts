import type { FetchingTokens } from '../environments/fetching-tokens.ts'
import type { EdgeToken } from './edge-token.ts'
import { fetchingOf, subsumes } from './fetch-scopes.ts'
import type { KnownTokens } from './known-tokens.ts'

/** What decides who fetches. */
export interface FetchingSetDeps {
  readonly tokens: KnownTokens
  /** Whether tokens that SDKs show fetch as well as those of the start. */
  readonly isDynamic: boolean
  /** Whether it is known of every token of the start whether it is good. */
  readonly isSettled: () => boolean
}

/** The known tokens that flags are fetched with: backend tokens, no two for the same flags where one would do. */
export class FetchingSet implements FetchingTokens {
  readonly #deps: FetchingSetDeps
  readonly #listeners = new Set<() => void>()
  #current: readonly EdgeToken[] = []
  #wasSettled: boolean

  constructor(deps: FetchingSetDeps) {
    this.#deps = deps
    this.#wasSettled = deps.isSettled()
    deps.tokens.subscribe({
      added: (token) => {
        if (!this.mayFetch(token) || this.#current.some((one) => subsumes(one, token))) return
        this.#become([...this.#current.filter((one) => !subsumes(token, one)), token])
      },
      removed: (token) => {
        if (!this.#current.includes(token)) return
        this.#become(fetchingOf(deps.tokens.all().filter((one) => this.mayFetch(one))))
      },
    })
  }

  /** All of now. */
  current(): readonly EdgeToken[] {
    return this.#current
  }

  /** Whether it is known of every token of the start whether it is good. */
  get isSettled(): boolean {
    return this.#deps.isSettled()
  }

  /** Whether a token is one to fetch with, be it needed or not. */
  mayFetch({ kind, origin }: EdgeToken): boolean {
    return kind === 'backend' && (origin === 'start' || (origin === 'upstream' && this.#deps.isDynamic))
  }

  /** Calls after each change of any of it; the result ends it. */
  subscribe(changed: () => void): () => void {
    this.#listeners.add(changed)
    return () => void this.#listeners.delete(changed)
  }

  /** Tells those who listen where tokens of the start have become settled, or are no longer. */
  noteSettled(): void {
    if (this.#wasSettled === this.isSettled) return
    this.#wasSettled = this.isSettled
    this.#tell()
  }

  #become(current: readonly EdgeToken[]): void {
    this.#current = current
    this.#tell()
  }

  #tell(): void {
    for (const changed of [...this.#listeners]) changed()
  }
}
