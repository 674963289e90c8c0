import { createHmac } from 'node:crypto'
import type { Network } from '@burgee/kit/http/network'
import { type Caller, Reply, type Route, routesFor } from '@burgee/kit/http/route'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import type { EventStream, EventStreams, StreamRefusal } from '@burgee/kit/streams/event-streams'
import { Unauthorized } from '@burgee/serving/access-errors'
import type { Repository } from '@burgee/serving/document/repository'
import {
  ChangeStreams,
  getLastEventId,
  INACTIVITY_SECONDS,
  OFREP_STREAM_KIND,
  OFREP_STREAM_PATH,
  ofrepStreamQuery,
} from '@burgee/serving/ofrep/change-streams'
import { createOfrepEnvelope, type OfrepEnvelope } from '@burgee/serving/replies/ofrep-answers'
import { getStreamRefusalHead, STREAM_REFUSALS } from '@burgee/serving/sdk/stream-refusal'
import type { AcceptedSecrets, CurrentSecrets } from '../current-secrets.ts'
import { type KeyAccess, OFREP_STREAM_ACCESS } from './access.ts'

/** Dependencies of the OFREP streams. */
export interface OfrepStreamDeps {
  readonly repository: Repository
  readonly secrets: CurrentSecrets<AcceptedSecrets>
  readonly streams: EventStreams
  readonly monotonic: MonotonicClock
  readonly basePath: string
  /** Returns the network of a caller, for its quota. */
  readonly getNetwork: (caller: Caller) => Network
  /** Environment set in every context; undefined if callers provide it. */
  readonly environment: string | undefined
}

/** Streams that notify OpenFeature providers of changes in the proxy's configuration. */
export interface OfrepStreams {
  readonly changes: ChangeStreams
  /** Returns the JSON around a list of flags for a key. It includes the stream's URL if a stream is available. */
  envelope(access: KeyAccess): OfrepEnvelope
  readonly routes: readonly Route<KeyAccess>[]
}

const CHANNEL_LENGTH = 22

/**
 * Creates the streams. Channels are derived from keys. So a channel is the same in all processes and after restarts,
 * and is valid as long as its key.
 */
export function createOfrepStreams(deps: OfrepStreamDeps): OfrepStreams {
  const { repository, streams, basePath, environment, monotonic } = deps
  const changes = new ChangeStreams(
    {
      tag: () => repository.state?.ofrep.get().tag ?? '',
      changedAtMs: () => repository.status.changedAtMs ?? 0,
      changedAgoMs: () => repository.changedAgoMs,
      subscribe: (changed) => repository.subscribe(changed),
    },
    monotonic,
  )
  const metadata = environment === undefined ? {} : { environment }
  const without = createOfrepEnvelope(metadata)
  const channels = new Channels(deps.secrets, (channel) =>
    createOfrepEnvelope(metadata, [
      {
        type: 'sse',
        endpoint: { requestUri: `${basePath}${OFREP_STREAM_PATH}?c=${channel}` },
        inactivityDelaySec: INACTIVITY_SECONDS,
      },
    ]),
  )
  return {
    changes,
    envelope: (access) =>
      (streams.isFull(OFREP_STREAM_KIND, channels.findChannel(access?.key))
        ? undefined
        : channels.findEnvelope(access?.key)) ?? without,
    routes: [streamRoute(deps, changes, channels)],
  }
}

function streamRoute(
  { streams, getNetwork }: OfrepStreamDeps,
  changes: ChangeStreams,
  channels: Channels,
): Route<KeyAccess> {
  return routesFor<KeyAccess>()({
    method: 'GET',
    url: OFREP_STREAM_PATH,
    isHot: true,
    tag: 'OpenFeature',
    permission: OFREP_STREAM_ACCESS,
    summary: 'Streams a notification for each change of flags, as server-sent events; bulk evaluations return its URL.',
    query: ofrepStreamQuery,
    replies: { 200: { description: 'Events, until the connection ends', contentType: 'text/event-stream' } },
    problems: ['ValidationFailed', 'Unauthorized', 'NotReady', 'TooManyStreams'],
    handle: ({ query, caller }) => {
      if (!channels.has(query.c)) throw new Unauthorized()
      const streamCaller = { network: getNetwork(caller), token: query.c }
      const refusal = streams.refusal(OFREP_STREAM_KIND, streamCaller)
      if (refusal !== undefined) return toRefusedReply(refusal)
      return streams.reply(OFREP_STREAM_KIND, streamCaller, (stream) => {
        const owner = changes.join(stream, getLastEventId(caller.headers))
        channels.add(query.c, stream)
        return {
          ...owner,
          ended: () => {
            channels.remove(query.c, stream)
            owner.ended(stream)
          },
        }
      })
    },
  })
}

function toRefusedReply(refusal: StreamRefusal): Reply {
  const { status, headers } = getStreamRefusalHead(refusal)
  return Reply.json(status, { error: STREAM_REFUSALS[refusal] }, headers)
}

/** Channels of the streams, one per client key. */
class Channels {
  readonly #secrets: CurrentSecrets<AcceptedSecrets>
  readonly #createEnvelope: (channel: string) => OfrepEnvelope
  readonly #streams = new Map<string, Set<EventStream>>()
  #byKey = new Map<string, { readonly channel: string; readonly frame: OfrepEnvelope }>()
  #channels = new Set<string>()

  constructor(secrets: CurrentSecrets<AcceptedSecrets>, frameFor: (channel: string) => OfrepEnvelope) {
    this.#secrets = secrets
    this.#createEnvelope = frameFor
    secrets.follow(() => this.#deriveChannels())
    this.#deriveChannels()
  }

  findEnvelope(key: string | undefined): OfrepEnvelope | undefined {
    return this.#byKey.get(key ?? '')?.frame
  }

  findChannel(key: string | undefined): string | undefined {
    return this.#byKey.get(key ?? '')?.channel
  }

  has(channel: string): boolean {
    return this.#channels.has(channel)
  }

  add(channel: string, stream: EventStream): void {
    const held = this.#streams.get(channel) ?? new Set()
    this.#streams.set(channel, held)
    held.add(stream)
  }

  remove(channel: string, stream: EventStream): void {
    const held = this.#streams.get(channel)
    held?.delete(stream)
    if (held?.size === 0) this.#streams.delete(channel)
  }

  /** Derives the channels of the current keys, and ends streams whose key is no longer valid. */
  #deriveChannels(): void {
    const keys = this.#secrets.current.clientKeys
    this.#byKey = new Map(
      keys.map((key) => {
        const channel = createHmac('sha256', key)
          .update('stream of changes')
          .digest('base64url')
          .slice(0, CHANNEL_LENGTH)
        return [key, { channel, frame: this.#createEnvelope(channel) }]
      }),
    )
    this.#channels = new Set([...this.#byKey.values()].map(({ channel }) => channel))
    for (const [channel, streams] of this.#streams) {
      if (!this.#channels.has(channel)) for (const stream of [...streams]) stream.end()
    }
  }
}
