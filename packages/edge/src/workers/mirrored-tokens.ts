import type { Asker, EdgeToken, EdgeTokens, RemovalReason, TokenListener } from '../tokens/edge-token.ts'
import { KnownTokens } from '../tokens/known-tokens.ts'
import { TokenRefused, TokenUndecided } from '../tokens/token-refusal.ts'
import type { EdgeQuestion, TokenFailure } from './messages.ts'

/** What of a failure goes to a worker. */
export function tokenFailureOf(error: unknown): TokenFailure {
  if (error instanceof TokenRefused) return { refused: error.reason }
  if (error instanceof TokenUndecided) return { undecided: error.reason, status: error.status }
  return { undecided: 'upstream', status: undefined }
}

/** The tokens that the primary process knows, at hand in a worker; the primary process is asked about others. */
export class MirroredTokens implements EdgeTokens {
  /** The primary process decides which of too many go. */
  readonly #tokens = new KnownTokens(Number.POSITIVE_INFINITY)
  readonly #ask: (question: EdgeQuestion) => Promise<unknown>

  constructor(ask: (question: EdgeQuestion) => Promise<unknown>) {
    this.#ask = ask
  }

  /** Tokens that are good from now on. */
  add(tokens: readonly EdgeToken[]): void {
    for (const token of tokens) this.#tokens.add(token)
  }

  /** A token that the primary process does not know any more. */
  remove(text: string, reason: RemovalReason): void {
    this.#tokens.remove(text, reason)
  }

  known(text: string): EdgeToken | undefined {
    return this.#tokens.get(text)
  }

  async admit(text: string, asker: Asker): Promise<EdgeToken> {
    const known = this.#tokens.get(text)
    if (known !== undefined) return known
    const answer = (await this.#ask({ kind: 'admit', text, asker }).catch((failure: unknown) => ({ failure }))) as
      | EdgeToken
      | { readonly failure: TokenFailure }
    if ('failure' in answer) throw errorOf(answer.failure)
    // it was told to all workers before it was the answer to this one
    return this.#tokens.get(text) ?? answer
  }

  findById(id: string): EdgeToken | undefined {
    return this.#tokens.findById(id)
  }

  all(): readonly EdgeToken[] {
    return this.#tokens.all()
  }

  subscribe(listener: TokenListener): () => void {
    return this.#tokens.subscribe(listener)
  }
}

function errorOf(failure: TokenFailure): TokenRefused | TokenUndecided {
  return 'refused' in failure
    ? new TokenRefused(failure.refused)
    : new TokenUndecided(failure.undecided, failure.status)
}
