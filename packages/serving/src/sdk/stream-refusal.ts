import { Reply } from '@burgee/kit/http/route'
import type { EventStreams } from '@burgee/kit/streams/event-streams'
import { Problem, ProblemBody } from '@burgee/protocol/problem'

const FULL = 'There are as many streams as the server keeps (MAX_STREAMS); please poll.'
const ENDING = 'The server is about to end; please connect again.'

/** Documentation of the replies of a stream. */
export const STREAM_REPLIES = {
  200: { description: 'Events, until the connection ends', contentType: 'text/event-stream' },
  503: { description: 'The server is about to end', schema: ProblemBody },
}

/**
 * What somebody gets whose stream of a kind cannot begin now: 503 while the process ends. Undefined where it can begin.
 * Throws RateLimitError where there are as many as may be; clients poll then.
 */
export function refusedStream(streams: EventStreams, kind: string): Reply | undefined {
  switch (streams.refusal(kind)) {
    case 'full':
      throw new Problem('RateLimitError', FULL, { headers: { 'retry-after': '60' } })
    case 'ending':
      return Reply.json(503, { id: crypto.randomUUID(), name: 'ServiceUnavailable', message: ENDING })
    default:
      return undefined
  }
}
