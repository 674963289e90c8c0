import { BoundedCache } from '@burgee/kit/bounded-cache'
import type { Network } from '@burgee/kit/http/network'
import { type Caller, type Route, routesFor } from '@burgee/kit/http/route'
import type { EventStreams } from '@burgee/kit/streams/event-streams'
import {
  INACTIVITY_SECONDS,
  lastEventIdOf,
  OFREP_STREAM,
  OFREP_STREAMS,
  ofrepStreamQuery,
} from '../ofrep/change-streams.ts'
import { type OfrepFrame, ofrepFrame } from '../replies/ofrep-answers.ts'
import type { FlagScope } from './flag-query.ts'
import type { ChannelToken, OfrepStreams } from './ofrep-streams.ts'
import { refusedStream, STREAM_REPLIES } from './stream-refusal.ts'

/** Dependencies of the stream endpoint. */
export interface OfrepStreamDoor<Token extends ChannelToken> {
  readonly ofrepStreams: OfrepStreams<Token>
  readonly streams: EventStreams
  readonly problems: readonly string[]
  readonly scopeOf: (token: Token) => FlagScope
  /** Returns the network of a caller, for its quota. */
  readonly networkOf: (caller: Caller) => Network
  /** Creates the error for an unknown or expired channel. */
  readonly unknown: (caller: Caller) => Error
}

/**
 * Creates the endpoint for event streams of OpenFeature providers. The URL itself authorizes the request, because
 * browsers cannot send an authorization header with it.
 */
export function ofrepStreamRoutes<Access, Token extends ChannelToken>(door: OfrepStreamDoor<Token>): Route<Access>[] {
  const { ofrepStreams, streams, scopeOf, networkOf } = door
  const route = routesFor<Access>()
  return [
    route({
      method: 'GET',
      url: OFREP_STREAM,
      isHot: true,
      permission: 'public',
      tag: 'OpenFeature',
      summary: 'Says when flags have changed, as server-sent events; the address comes with a list of flags.',
      description:
        'Messages whose data is `{type: "refetchEvaluation", etag, lastModified}`; at once where `Last-Event-ID` names other flags than those of now. The stream ends when the token does by which the list was asked for.',
      query: ofrepStreamQuery,
      replies: STREAM_REPLIES,
      problems: door.problems,
      handle: async ({ query, caller }) => {
        const token = await ofrepStreams.tokenOf(query.c)
        if (token === undefined) throw door.unknown(caller)
        const streamCaller = { network: networkOf(caller), token: token.id }
        const refused = refusedStream(streams, OFREP_STREAMS, streamCaller)
        if (refused !== undefined) return refused
        const lastEventId = lastEventIdOf(caller.headers)
        return ofrepStreams.open(token, scopeOf(token), { caller: streamCaller, lastEventId })
      },
    }),
  ]
}

/** Cache limit; there is one frame per environment and channel. */
const MOST = { entries: 10_000 }

/**
 * Creates a function that returns the JSON around the flags in a list. It contains the URL of a stream if a stream is
 * available to the token.
 */
export function ofrepFrames(
  ofrepStreams: Pick<OfrepStreams<ChannelToken>, 'channelOf'>,
  basePath: string,
): (environment: string, token: ChannelToken | undefined) => OfrepFrame {
  const known = new BoundedCache<OfrepFrame>(MOST)
  return (environment, token) => {
    const channel = token === undefined ? undefined : ofrepStreams.channelOf(token)
    const key = `${environment} ${channel ?? ''}`
    const frame = known.peek(key)
    if (frame !== undefined) return frame
    const made = makeFrame(environment, channel, basePath)
    known.set(key, made)
    return made
  }
}

function makeFrame(environment: string, channel: string | undefined, basePath: string): OfrepFrame {
  if (channel === undefined) return ofrepFrame({ environment })
  const endpoint = { requestUri: `${basePath}${OFREP_STREAM}?c=${encodeURIComponent(channel)}` }
  return ofrepFrame({ environment }, [{ type: 'sse', endpoint, inactivityDelaySec: INACTIVITY_SECONDS }])
}
