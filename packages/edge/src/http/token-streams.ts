import type { EventStream } from '@burgee/kit/streams/event-streams'
import { StreamsByHolder } from '@burgee/kit/streams/streams-by-holder'
import type { StreamRegistry } from '@burgee/serving/sdk/flag-streams'
import type { EdgeToken, EdgeTokens } from '../tokens/edge-token.ts'

/** Closes streams whose token is removed; clients reconnect and are checked again. */
export class TokenStreams implements StreamRegistry<EdgeToken> {
  readonly #tokens: Pick<EdgeTokens, 'findById'>
  readonly #streams = new StreamsByHolder<EdgeToken>()
  readonly #unsubscribe: () => void

  constructor(tokens: Pick<EdgeTokens, 'findById' | 'subscribe'>) {
    this.#tokens = tokens
    this.#unsubscribe = tokens.subscribe({ added: () => {}, removed: ({ id }) => this.#streams.end(id) })
  }

  /**
   * Registers a stream, which is closed if its token is removed. Must be called when the stream begins. Returns a
   * function that unregisters the stream.
   */
  register(stream: EventStream, token: EdgeToken): () => void {
    // the token may have been removed since its access was checked
    if (this.#tokens.findById(token.id) === undefined) setImmediate(() => stream.end())
    return this.#streams.add(stream, token)
  }

  close(): void {
    this.#unsubscribe()
  }
}
