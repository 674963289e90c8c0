import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import type { EventStream } from '@burgee/kit/streams/event-streams'
import type { FlagScope } from '@burgee/serving/sdk/flag-query'
import { type TokenChangeFeed, TokenChangeStreams } from '@burgee/serving/sdk/token-change-streams'
import type { EdgeTokens } from '../tokens/edge-token.ts'

/** Tells nodes behind this one which tokens it knows no longer. */
export class EdgeTokenFeed implements TokenChangeFeed {
  readonly #streams: TokenChangeStreams
  readonly #unsubscribe: () => void

  constructor(tokens: Pick<EdgeTokens, 'subscribe'>, monotonic: MonotonicClock) {
    this.#streams = new TokenChangeStreams({ monotonic, ready: () => Promise.resolve() })
    this.#unsubscribe = tokens.subscribe({
      added: () => {},
      // one that is only not kept any more may be good: the next node asks
      removed: (token, reason) =>
        this.#streams.tell(reason === 'refused' ? { revoked: [token] } : { changed: [token] }),
    })
  }

  join(stream: EventStream, scope: FlagScope): () => void {
    return this.#streams.join(stream, scope)
  }

  catchUp(stream: EventStream): void {
    this.#streams.catchUp(stream)
  }

  close(): void {
    this.#unsubscribe()
  }
}
