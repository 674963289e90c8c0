import { hash } from 'node:crypto'
import type { EdgeToken, RemovalReason, TokenListener } from './edge-token.ts'

interface Entry {
  readonly token: EdgeToken
  /** Sequence number of the token's last use; each use of any token increments it. */
  used: number
}

/**
 * Fraction of the stored tokens that is evicted at once. Finding the least recently used tokens is slow, so it should
 * happen rarely.
 */
const EVICTED_SHARE = 0.01

/** Creates a token with its hash and id. */
export function createEdgeToken(fields: Omit<EdgeToken, 'id' | 'hash'>): EdgeToken {
  const digest = hash('sha256', fields.text)
  return { ...fields, hash: digest, id: toPublicId(digest) }
}

/** Returns the public id of a token: a hash of the token's SHA-256, because the SHA-256 itself is secret. */
function toPublicId(digest: string): string {
  return hash('sha256', `id of ${digest}`).slice(0, 16)
}

/**
 * Store of usable tokens. If there are more than `max` tokens, evicts those from SDKs that were used least recently.
 */
export class TokenStore {
  readonly #entries = new Map<string, Entry>()
  readonly #byId = new Map<string, EdgeToken>()
  readonly #listeners = new Set<TokenListener>()
  readonly #max: number
  #uses = 0

  constructor(max: number) {
    this.#max = max
  }

  /** Returns the token with this text and records that it was used. */
  use(text: string): EdgeToken | undefined {
    const entry = this.#entries.get(text)
    if (entry === undefined) return undefined
    this.#uses += 1
    entry.used = this.#uses
    return entry.token
  }

  /** Returns the token with this text without recording a use. */
  get(text: string): EdgeToken | undefined {
    return this.#entries.get(text)?.token
  }

  findById(id: string): EdgeToken | undefined {
    return this.#byId.get(id)
  }

  findByHash(digest: string): EdgeToken | undefined {
    return this.findById(toPublicId(digest))
  }

  all(): EdgeToken[] {
    return [...this.#entries.values()].map(({ token }) => token)
  }

  /** Adds a token. Replaces a stored token with the same text. */
  add(token: EdgeToken): void {
    const before = this.get(token.text)
    this.#uses += 1
    this.#entries.set(token.text, { token, used: this.#uses })
    this.#byId.set(token.id, token)
    // store the new token first, so that listeners do not treat its flags as removed
    if (before !== undefined) for (const listener of [...this.#listeners]) listener.removed(before, 'replaced')
    for (const listener of [...this.#listeners]) listener.added(token)
    if (this.#entries.size > this.#max) this.#shrink()
  }

  remove(text: string, reason: RemovalReason): void {
    const token = this.get(text)
    if (token === undefined) return
    this.#entries.delete(text)
    this.#byId.delete(token.id)
    for (const listener of [...this.#listeners]) listener.removed(token, reason)
  }

  subscribe(listener: TokenListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #shrink(): void {
    const evictable = [...this.#entries.values()].filter(({ token }) => token.origin === 'upstream')
    evictable.sort((a, b) => a.used - b.used)
    const surplus = this.#entries.size - this.#max
    // the newest token is never evicted, because it is being used right now
    const evicted = evictable.slice(
      0,
      Math.min(evictable.length - 1, Math.max(surplus, Math.ceil(this.#max * EVICTED_SHARE))),
    )
    for (const { token } of evicted) this.remove(token.text, 'dropped')
  }
}
