/**
 * Load generator in a separate process. Sends requests over keep-alive connections, one at a time on each. HTTP is
 * written and parsed by hand, so that the client costs less than the server that it measures. A parent process sends
 * slices and receives their results.
 */
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
import { converse } from './conversation.ts'
import { contextNumber, requestText } from './request-text.ts'
import type { Slice, SliceResult } from './scene.ts'

const NS_PER_US = 1000

/** ETags by context number. */
type Tags = Map<number, string>

/** ETags by server port, because a returning client sends the ETags of its last visit to that server. */
const tagsByPort = new Map<number, Tags>()

interface Counts {
  requests: number
  bodyBytes: number
  readonly statuses: Record<string, number>
  readonly histogram: RecordableHistogram
}

async function play(slice: Slice): Promise<SliceResult> {
  const counts: Counts = { requests: 0, bodyBytes: 0, statuses: {}, histogram: createHistogram() }
  const tags = tagsByPort.get(slice.port) ?? new Map<number, string>()
  tagsByPort.set(slice.port, tags)
  const before = process.cpuUsage()
  const since = performance.now()
  const endsAt = since + slice.durationMs
  let next = 0
  const take = () => (performance.now() < endsAt || next < slice.leastRequests ? next++ : undefined)
  await Promise.all(Array.from({ length: slice.connections }, () => runConnection(slice, take, tags, counts)))
  const elapsedMs = performance.now() - since
  const { user, system } = process.cpuUsage(before)
  const { requests, bodyBytes, statuses, histogram } = counts
  const [p50Us = 0, p99Us = 0] = [50, 99].map((part) => histogram.percentile(part) / NS_PER_US)
  return { requests, elapsedMs, statuses, bodyBytes, p50Us, p99Us, cpuUs: user + system }
}

function runConnection(slice: Slice, take: () => number | undefined, tags: Tags, counts: Counts): Promise<void> {
  let context = 0
  return converse(slice.port, {
    next: () => {
      const request = take()
      if (request === undefined) return undefined
      context = contextNumber(slice.scene, slice.firstContext, request)
      return requestText(slice.scene, context, tags.get(context))
    },
    onResponse: ({ status, etag, bodyBytes }, ns) => {
      counts.histogram.record(ns)
      counts.requests += 1
      counts.bodyBytes += bodyBytes
      counts.statuses[status] = (counts.statuses[status] ?? 0) + 1
      if (slice.scene.contexts === 'repeated' && etag) tags.set(context, etag)
    },
  })
}

process.on('message', (slice: Slice) => {
  play(slice).then(
    (result) => process.send?.(result),
    (error: unknown) => process.send?.({ failed: String(error) }),
  )
})
process.on('disconnect', () => process.exit())
