import { Reply } from '@burgee/kit/http/route'
import type { EventStreams, StreamRefusal } from '@burgee/kit/streams/event-streams'
import type { StreamCaller } from '@burgee/kit/streams/stream-quota'
import { Problem, ProblemBody } from '@burgee/protocol/problem'

/** Number of seconds after which a client may request a stream again. */
const RETRY_SECONDS = { full: '60', ending: '1' }

/**
 * Messages for callers whose stream is refused. If a limit is the reason, the message names the option that sets it.
 */
export const STREAM_REFUSALS: Readonly<Record<StreamRefusal, string>> = {
  full: 'All streams of this server are in use (MAX_STREAMS); please poll.',
  token: 'This token has reached its limit of streams on this server (MAX_STREAMS); please poll.',
  network: 'Your network has reached its limit of streams on this server (MAX_STREAMS); please poll.',
  user: 'You have reached the maximum number of streams per user (MAX_STREAMS_PER_USER); please close some.',
  descriptors: 'This server has no file descriptors left for streams (ulimit -n); please poll.',
  ending: 'This server is shutting down; please connect again.',
}

/** Documented responses of a stream endpoint. */
export const STREAM_REPLIES = {
  200: { description: 'Events, until the connection ends', contentType: 'text/event-stream' },
  503: { description: 'The server is shutting down', schema: ProblemBody },
}

/**
 * Returns the status and headers of the response when a stream is refused. After a 429, clients switch to polling;
 * after a 503, they reconnect.
 */
export function getStreamRefusalHead(refusal: StreamRefusal) {
  return refusal === 'ending'
    ? { status: 503, headers: { 'retry-after': RETRY_SECONDS.ending } }
    : { status: 429, headers: { 'retry-after': RETRY_SECONDS.full } }
}

/**
 * Returns a 503 if the process is shutting down, or undefined if the stream may start. Throws RateLimitError if a quota
 * is exceeded.
 */
export function createStreamRefusal(streams: EventStreams, kind: string, caller: StreamCaller): Reply | undefined {
  const refusal = streams.refusal(kind, caller)
  if (refusal === undefined) return undefined
  const message = STREAM_REFUSALS[refusal]
  const { status, headers } = getStreamRefusalHead(refusal)
  if (refusal !== 'ending') throw new Problem('RateLimitError', message, { headers })
  return Reply.json(status, { id: crypto.randomUUID(), name: 'ServiceUnavailable', message }, headers)
}
