import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import type { EventStream } from '@burgee/kit/streams/event-streams'
import type { FlagScope } from '@burgee/serving/sdk/flag-query'
import { type TokenChangeFeed, TokenChangeStreams } from '@burgee/serving/sdk/token-change-streams'
import type { EdgeTokens } from '../tokens/edge-token.ts'

/** Notifies downstream nodes of tokens that are no longer known to this node. */
export class EdgeTokenFeed implements TokenChangeFeed {
  readonly #streams: TokenChangeStreams
  readonly #unsubscribe: () => void

  constructor(tokens: Pick<EdgeTokens, 'subscribe'>, monotonic: MonotonicClock) {
    this.#streams = new TokenChangeStreams({ monotonic, ready: () => Promise.resolve() })
    this.#unsubscribe = tokens.subscribe({
      added: () => {},
      // a dropped token may still be valid, so the downstream node validates it again
      removed: (token, reason) =>
        this.#streams.notify(reason === 'refused' ? { revoked: [token] } : { changed: [token] }),
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
