import type { SeenReply } from '@burgee/kit/http/app'
import type { Labels, SeriesRegistry } from '@burgee/kit/series/series'

const MS_PER_SECOND = 1000
const REPLY_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Adds metrics of replies, and returns a function that records one. */
export function createReplyRecorder(registry: SeriesRegistry): (seen: SeenReply) => void {
  const replies = registry.counter('burgee_http_requests_total', 'Responses by route, method and status.')
  const seconds = registry.histogram(
    'burgee_http_request_duration_seconds',
    'Time from a request to the end of its response, by route and method.',
    REPLY_SECONDS,
  )
  const durations = registry.histogram(
    'http_request_duration_milliseconds',
    'The same as sum and count, by path, method and status.',
    [],
  )
  const known = new Map<string, RouteLabels>()
  return ({ route, method, status, durationMs }) => {
    const id = `${method} ${route}`
    const labels: RouteLabels = known.get(id) ?? { ofTime: { route, method }, byStatus: new Map() }
    known.set(id, labels)
    const ofReply = labels.byStatus.get(status) ?? toReplyLabels(route, method, status)
    labels.byStatus.set(status, ofReply)
    replies.add(1, ofReply.ours)
    seconds.observe(durationMs / MS_PER_SECOND, labels.ofTime)
    durations.observe(durationMs, ofReply.unleash)
  }
}

/** Labels for one route: those of its duration, and those of its replies by status. */
interface RouteLabels {
  readonly ofTime: Labels
  readonly byStatus: Map<number, ReplyLabels>
}

/** Labels for one kind of response, in this server's own metrics and in the Unleash-compatible metrics. */
interface ReplyLabels {
  readonly ours: Labels
  readonly unleash: Labels
}

function toReplyLabels(route: string, method: string, code: number): ReplyLabels {
  const status = String(code)
  return { ours: { route, method, status }, unleash: { path: route, method, status } }
}
