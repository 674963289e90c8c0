import type { EdgeToken, EdgeTokens, RemovalReason, TokenListener, TokenRequester } from '../tokens/edge-token.ts'
import { TokenRefused, TokenUndecided } from '../tokens/token-refusal.ts'
import { TokenStore } from '../tokens/token-store.ts'
import type { TokenFailure, WorkerRequest } from './edge-messages.ts'

/** Converts an error to the form in which it is sent to workers. */
export function toTokenFailure(error: unknown): TokenFailure {
  if (error instanceof TokenRefused) return { refused: error.reason }
  if (error instanceof TokenUndecided) return { undecided: error.reason, status: error.status }
  return { undecided: 'upstream', status: undefined }
}

/** Copy, in a worker, of the tokens that the primary process knows. The primary process validates unknown tokens. */
export class MirroredTokens implements EdgeTokens {
  /** Has no size limit, because the primary process decides which tokens to evict. */
  readonly #tokens = new TokenStore(Number.POSITIVE_INFINITY)
  readonly #ask: (question: WorkerRequest) => Promise<unknown>

  constructor(ask: (question: WorkerRequest) => Promise<unknown>) {
    this.#ask = ask
  }

  /** Adds valid tokens. */
  add(tokens: readonly EdgeToken[]): void {
    for (const token of tokens) this.#tokens.add(token)
  }

  /** Removes a token that the primary process no longer knows. */
  remove(text: string, reason: RemovalReason): void {
    this.#tokens.remove(text, reason)
  }

  find(text: string): EdgeToken | undefined {
    return this.#tokens.get(text)
  }

  async admit(text: string, asker: TokenRequester): Promise<EdgeToken> {
    const known = this.#tokens.get(text)
    if (known !== undefined) return known
    const answer = (await this.#ask({ kind: 'admit', text, asker }).catch((failure: unknown) => ({ failure }))) as
      | EdgeToken
      | { readonly failure: TokenFailure }
    if ('failure' in answer) throw toTokenError(answer.failure)
    // the primary process sends the token to all workers before it replies to this worker
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

function toTokenError(failure: TokenFailure): TokenRefused | TokenUndecided {
  return 'refused' in failure
    ? new TokenRefused(failure.refused)
    : new TokenUndecided(failure.undecided, failure.status)
}
