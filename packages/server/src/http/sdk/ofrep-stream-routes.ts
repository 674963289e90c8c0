import { BoundedCache } from '@burgee/kit/bounded-cache'
import type { Caller } from '@burgee/kit/http/route'
import { Problem } from '@burgee/protocol/problem'
import { INACTIVITY_SECONDS, OFREP_STREAM, OFREP_STREAMS, ofrepStreamQuery } from '@burgee/serving/ofrep/change-streams'
import { type OfrepFrame, ofrepFrame } from '@burgee/serving/replies/ofrep-answers'
import type { OfrepStreams } from '../../services/sdk/ofrep-streams.ts'
import type { Reach } from '../access/auth.ts'
import { refusedGuess } from '../rate-limit.ts'
import { type Routes, route } from '../route.ts'
import { refusedStream, STREAM_REPLIES } from '../stream-refusal.ts'
import { environmentOf } from './report-routes.ts'

/** How OpenFeature's providers hear of changes: the address authorises itself, for browsers send nothing with it. */
export function ofrepStreamRoutes(ofrepStreams: OfrepStreams): Routes {
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
      problems: ['ValidationError', 'AuthenticationRequired', 'RateLimitError'],
      handle: async ({ query, caller }, { streams, limits }) => {
        const token = await ofrepStreams.tokenOf(query.c)
        if (token === undefined) throw refusedGuess(unknownChannel(), limits.wrongToken(caller))
        const scope = { environment: environmentOf(token), projects: token.projects }
        return refusedStream(streams, OFREP_STREAMS) ?? ofrepStreams.open(token, scope, lastIdOf(caller))
      },
    }),
  ]
}

function unknownChannel(): Problem {
  return new Problem('AuthenticationRequired', 'There is no such stream: ask for the flags again.')
}

function lastIdOf({ headers }: Caller): string | undefined {
  const sent = headers['last-event-id']
  return typeof sent === 'string' ? sent : undefined
}

interface Frames {
  readonly without: OfrepFrame
  readonly withStream: OfrepFrame
}

/** A frame is made once per token, and once without a stream. */
const MOST = { entries: 10_000 }

/** What stands around the flags of a list: for whom a stream would be served, also where it is. */
export function framesOf(ofrepStreams: OfrepStreams, basePath: string): (token: Reach) => OfrepFrame {
  const known = new BoundedCache<Frames>(MOST)
  return (token) => {
    const { id, hash } = token
    const channel = hash === undefined ? undefined : ofrepStreams.channelOf({ id, hash })
    const key = `${id} ${environmentOf(token)}`
    const frames = known.peek(key) ?? makeFrames(token, channel, basePath)
    if (channel !== undefined && frames.withStream === frames.without) {
      const made = makeFrames(token, channel, basePath)
      known.set(key, made)
      return made.withStream
    }
    known.set(key, frames)
    return channel === undefined ? frames.without : frames.withStream
  }
}

function makeFrames(token: Reach, channel: string | undefined, basePath: string): Frames {
  const metadata = { environment: environmentOf(token) }
  const without = ofrepFrame(metadata)
  if (channel === undefined) return { without, withStream: without }
  const endpoint = { requestUri: `${basePath}${OFREP_STREAM}?c=${encodeURIComponent(channel)}` }
  const withStream = ofrepFrame(metadata, [{ type: 'sse', endpoint, inactivityDelaySec: INACTIVITY_SECONDS }])
  return { without, withStream }
}
