import { BoundedCache } from '@burgee/kit/bounded-cache'
import type { Network } from '@burgee/kit/http/client-network'
import { type Caller, type Route, type RouteShape, routesFor } from '@burgee/kit/http/route'
import type { EventStreams } from '@burgee/kit/streams/event-streams'
import {
  getLastEventId,
  INACTIVITY_SECONDS,
  OFREP_STREAM_KIND,
  OFREP_STREAM_PATH,
  ofrepStreamQuery,
} from '../ofrep/change-streams.ts'
import { createOfrepEnvelope, type OfrepEnvelope } from '../replies/ofrep-answers.ts'
import type { FlagScope } from './flag-query.ts'
import type { ChannelToken, OfrepStreams } from './ofrep-streams.ts'
import { createStreamRefusal, STREAM_REPLIES } from './stream-refusal.ts'

/** Dependencies of the stream endpoint. */
export interface OfrepStreamRouteDeps<Token extends ChannelToken> {
  readonly ofrepStreams: OfrepStreams<Token>
  readonly streams: EventStreams
  readonly problems: readonly string[]
  readonly getScope: (token: Token) => FlagScope
  /** Returns the network of a caller, against whose quota the stream counts. */
  readonly getNetwork: (caller: Caller) => Network
  /** Creates the error for a channel that is unknown or has expired. */
  readonly createUnknownError: (caller: Caller) => Error
  /** Permission that the route requires; `public` by default. */
  readonly permission?: string
  /** Documented responses; {@link STREAM_REPLIES} by default. */
  readonly replies?: RouteShape['replies']
  /**
   * Returns or throws the reply if a stream must be refused. Returns undefined if the stream may start; {@link
   * createStreamRefusal} by default.
   */
  readonly createRefusal?: typeof createStreamRefusal
}

/**
 * Creates the endpoint that serves event streams to OpenFeature providers. The URL itself authorizes the request,
 * because browsers cannot send an authorization header when they open a stream.
 */
export function ofrepStreamRoutes<Access, Token extends ChannelToken>(
  deps: OfrepStreamRouteDeps<Token>,
): Route<Access>[] {
  const { ofrepStreams, streams, getScope, getNetwork } = deps
  const { permission = 'public', replies = STREAM_REPLIES, createRefusal = createStreamRefusal } = deps
  const route = routesFor<Access>()
  return [
    route({
      method: 'GET',
      url: OFREP_STREAM_PATH,
      isHot: true,
      permission,
      tag: 'OpenFeature',
      summary:
        'Streams a notification for each change of flags, as server-sent events; bulk evaluations return its URL.',
      description:
        'Messages whose data is `{type: "refetchEvaluation", etag, lastModified}`; one is sent at once if `Last-Event-ID` differs from the current state. The stream ends when the token of the request is removed or expires.',
      query: ofrepStreamQuery,
      replies,
      problems: deps.problems,
      handle: async ({ query, caller }) => {
        const token = await ofrepStreams.findToken(query.c)
        if (token === undefined) throw deps.createUnknownError(caller)
        const streamCaller = { network: getNetwork(caller), token: token.id }
        const refused = createRefusal(streams, OFREP_STREAM_KIND, streamCaller)
        if (refused !== undefined) return refused
        const lastEventId = getLastEventId(caller.headers)
        return ofrepStreams.open(token, getScope(token), { caller: streamCaller, lastEventId })
      },
    }),
  ]
}

/** Cache limit. There is one envelope for each pair of environment and channel. */
const MAX_ENVELOPES = { entries: 10_000 }

/**
 * Creates a function that returns the JSON surrounding the flags in a list. This JSON contains the URL of an event
 * stream if the token may use one.
 */
export function createOfrepEnvelopes(
  ofrepStreams: Pick<OfrepStreams<ChannelToken>, 'findChannel'>,
  basePath: string,
): (environment: string | undefined, token: ChannelToken | undefined) => OfrepEnvelope {
  const known = new BoundedCache<OfrepEnvelope>(MAX_ENVELOPES)
  return (environment, token) => {
    const channel = token === undefined ? undefined : ofrepStreams.findChannel(token)
    const key = `${environment ?? ''} ${channel ?? ''}`
    const frame = known.peek(key)
    if (frame !== undefined) return frame
    const made = buildEnvelope(environment, channel, basePath)
    known.set(key, made)
    return made
  }
}

function buildEnvelope(environment: string | undefined, channel: string | undefined, basePath: string): OfrepEnvelope {
  const metadata = environment === undefined ? {} : { environment }
  if (channel === undefined) return createOfrepEnvelope(metadata)
  const endpoint = { requestUri: `${basePath}${OFREP_STREAM_PATH}?c=${encodeURIComponent(channel)}` }
  return createOfrepEnvelope(metadata, [{ type: 'sse', endpoint, inactivityDelaySec: INACTIVITY_SECONDS }])
}
