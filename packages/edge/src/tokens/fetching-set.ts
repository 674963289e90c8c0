import type { FetchingTokens } from '../environments/fetching-tokens.ts'
import type { EdgeToken } from './edge-token.ts'
import { selectFetchingTokens, subsumes } from './fetch-scopes.ts'
import type { TokenStore } from './token-store.ts'

/** Dependencies of a fetching set. */
export interface FetchingSetDeps {
  readonly tokens: TokenStore
  /** True to fetch with start-up tokens and with tokens that SDKs send; false to use start-up tokens only. */
  readonly isDynamic: boolean
  /** Returns true once the validity of every start-up token is known. */
  readonly isSettled: () => boolean
}

/**
 * Set of known backend tokens that flags are fetched with. No token in the set has a scope that includes another
 * token's scope.
 */
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
        this.#setCurrent([...this.#current.filter((one) => !subsumes(token, one)), token])
      },
      removed: (token) => {
        if (!this.#current.includes(token)) return
        this.#setCurrent(selectFetchingTokens(deps.tokens.all().filter((one) => this.mayFetch(one))))
      },
    })
  }

  /** Returns the tokens that are currently in the set. */
  current(): readonly EdgeToken[] {
    return this.#current
  }

  /** True once the validity of every start-up token is known. */
  get isSettled(): boolean {
    return this.#deps.isSettled()
  }

  /** Returns true if fetching with a token is allowed, even if it is not needed. */
  mayFetch({ kind, origin }: EdgeToken): boolean {
    return kind === 'backend' && (origin === 'start' || (origin === 'upstream' && this.#deps.isDynamic))
  }

  /** Calls `changed` after each change to the set. Returns a function that unsubscribes. */
  subscribe(changed: () => void): () => void {
    this.#listeners.add(changed)
    return () => void this.#listeners.delete(changed)
  }

  /** Notifies subscribers if `isSettled` has changed. */
  noteSettled(): void {
    if (this.#wasSettled === this.isSettled) return
    this.#wasSettled = this.isSettled
    this.#notify()
  }

  #setCurrent(current: readonly EdgeToken[]): void {
    this.#current = current
    this.#notify()
  }

  #notify(): void {
    for (const changed of [...this.#listeners]) changed()
  }
}
