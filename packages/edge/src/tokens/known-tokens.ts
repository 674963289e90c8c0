import { hash } from 'node:crypto'
import type { EdgeToken, RemovalReason, TokenListener } from './edge-token.ts'

interface Entry {
  readonly token: EdgeToken
  /** Grows with each use of any token. */
  used: number
}

/** So much goes at once where there are too many, so that the least used ones need not be looked for each time. */
const GOING_PART = 0.01

/** Makes a token of what is known of it. */
export function edgeToken(told: Omit<EdgeToken, 'id' | 'hash'>): EdgeToken {
  const digest = hash('sha256', told.text)
  return { ...told, hash: digest, id: idOf(digest) }
}

/** Made of the digest, which is a secret itself, so that nothing of that can be read off it. */
function idOf(digest: string): string {
  return hash('sha256', `id of ${digest}`).slice(0, 16)
}

/** The tokens that may be used. Beyond `most` those shown by SDKs go that were not used for longest. */
export class KnownTokens {
  readonly #entries = new Map<string, Entry>()
  readonly #byId = new Map<string, EdgeToken>()
  readonly #listeners = new Set<TokenListener>()
  readonly #most: number
  #uses = 0

  constructor(most: number) {
    this.#most = most
  }

  /** A token by its text, which counts as use. */
  use(text: string): EdgeToken | undefined {
    const entry = this.#entries.get(text)
    if (entry === undefined) return undefined
    this.#uses += 1
    entry.used = this.#uses
    return entry.token
  }

  /** The same without counting. */
  get(text: string): EdgeToken | undefined {
    return this.#entries.get(text)?.token
  }

  findById(id: string): EdgeToken | undefined {
    return this.#byId.get(id)
  }

  findByHash(digest: string): EdgeToken | undefined {
    return this.findById(idOf(digest))
  }

  all(): EdgeToken[] {
    return [...this.#entries.values()].map(({ token }) => token)
  }

  /** Adds a token, in the place of the one with its text. */
  add(token: EdgeToken): void {
    const before = this.get(token.text)
    this.#uses += 1
    this.#entries.set(token.text, { token, used: this.#uses })
    this.#byId.set(token.id, token)
    // the new one is there already, so that nobody takes its flags for gone meanwhile
    if (before !== undefined) for (const listener of [...this.#listeners]) listener.removed(before, 'replaced')
    for (const listener of [...this.#listeners]) listener.added(token)
    if (this.#entries.size > this.#most) this.#shrink()
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
    const shown = [...this.#entries.values()].filter(({ token }) => token.origin === 'upstream')
    shown.sort((a, b) => a.used - b.used)
    const surplus = this.#entries.size - this.#most
    // the newest one is being answered just now
    const going = shown.slice(0, Math.min(shown.length - 1, Math.max(surplus, Math.ceil(this.#most * GOING_PART))))
    for (const { token } of going) this.remove(token.text, 'dropped')
  }
}
