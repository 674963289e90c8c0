import type { EventStream } from '@burgee/kit/streams/event-streams'
import type { StreamRegistry } from '@burgee/serving/sdk/flag-streams'
import type { EdgeToken, EdgeTokens } from '../tokens/edge-token.ts'

/** Ends streams whose token is removed; clients reconnect and are checked again. */
export class TokenStreams implements StreamRegistry<EdgeToken> {
  readonly #tokens: Pick<EdgeTokens, 'findById'>
  readonly #held = new Map<string, Set<EventStream>>()
  readonly #unsubscribe: () => void

  constructor(tokens: Pick<EdgeTokens, 'findById' | 'subscribe'>) {
    this.#tokens = tokens
    this.#unsubscribe = tokens.subscribe({
      added: () => {},
      removed: ({ id }) => {
        for (const stream of [...(this.#held.get(id) ?? [])]) stream.end()
      },
    })
  }

  /**
   * Registers a stream that ends if its token is removed. Call it when the stream begins. Returns a function that
   * unregisters the stream.
   */
  register(stream: EventStream, { id }: EdgeToken): () => void {
    const held = this.#held.get(id) ?? new Set<EventStream>()
    this.#held.set(id, held)
    held.add(stream)
    // the token may have been removed since the access check
    if (this.#tokens.findById(id) === undefined) setImmediate(() => stream.end())
    return () => {
      held.delete(stream)
      if (held.size === 0) this.#held.delete(id)
    }
  }

  close(): void {
    this.#unsubscribe()
  }
}
