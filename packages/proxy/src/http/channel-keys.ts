import { createHmac } from 'node:crypto'
import type { EventStream } from '@burgee/kit/streams/event-streams'
import { StreamsByHolder } from '@burgee/kit/streams/streams-by-holder'
import type { StreamRegistry } from '@burgee/serving/sdk/flag-streams'
import type { ChannelToken } from '@burgee/serving/sdk/ofrep-streams'
import type { AcceptedSecrets, CurrentSecrets } from '../current-secrets.ts'

const ID_LENGTH = 22

/**
 * Registry that presents client keys as the tokens of change streams. The ids of these tokens are derived from the
 * keys, so that they are the same in all processes and after a restart. When a key is rotated, its streams are closed.
 */
export class ChannelKeys implements StreamRegistry<ChannelToken> {
  readonly #secrets: CurrentSecrets<AcceptedSecrets>
  readonly #streams = new StreamsByHolder<ChannelToken>()
  #byKey = new Map<string, ChannelToken>()
  #byId = new Map<string, ChannelToken>()

  constructor(secrets: CurrentSecrets<AcceptedSecrets>) {
    this.#secrets = secrets
    this.#deriveTokens()
    secrets.follow(() => {
      this.#deriveTokens()
      this.#streams.endWhere(({ id }) => !this.#byId.has(id))
    })
  }

  /** Returns the token for a client key that is currently valid; undefined for any other key. */
  findByKey(key: string | undefined): ChannelToken | undefined {
    return key === undefined ? undefined : this.#byKey.get(key)
  }

  findById(id: string): ChannelToken | undefined {
    return this.#byId.get(id)
  }

  register(stream: EventStream, token: ChannelToken): () => void {
    // the key may have been rotated since access was checked
    if (!this.#byId.has(token.id)) setImmediate(() => stream.end())
    return this.#streams.add(stream, token)
  }

  /** Does nothing, because this object follows the secrets until the process ends. */
  close(): void {}

  #deriveTokens(): void {
    const tokens = this.#secrets.current.clientKeys.map((key) => ({ id: deriveId(key), hash: key }))
    this.#byKey = new Map(tokens.map((token) => [token.hash, token]))
    this.#byId = new Map(tokens.map((token) => [token.id, token]))
  }
}

function deriveId(key: string): string {
  return createHmac('sha256', key).update('id of a client key').digest('base64url').slice(0, ID_LENGTH)
}
