/** Load generator in a separate process: a parent process sends slices and receives their results. */
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'
import { converse } from '../http/conversation.ts'
import type { LoadResult, LoadSlice } from './load.ts'

const NS_PER_MS = 1_000_000

async function play(slice: LoadSlice): Promise<LoadResult> {
  const { requests: texts, first, durationMs, leastRequests, connections, everyMs } = slice
  const lanes = Array.from({ length: slice.lanes }, () => createHistogram())
  const statuses: Record<string, number> = {}
  let [taken, requests, bodyBytes] = [0, 0, 0]
  const since = performance.now()
  const endsAt = since + durationMs
  const connection = (number: number) => {
    let current = 0
    let dueAtMs = since + ((everyMs ?? 0) * number) / connections
    return converse(slice.port, {
      next: () => {
        if (performance.now() >= endsAt && taken >= leastRequests) return undefined
        current = first + taken++
        dueAtMs += everyMs ?? 0
        return texts[current % texts.length]
      },
      onResponse: ({ status, bodyBytes: bytes }, ns, firstByteNs) => {
        requests += 1
        bodyBytes += bytes
        statuses[status] = (statuses[status] ?? 0) + 1
        lanes[current % lanes.length]?.record(slice.until === 'first byte' ? firstByteNs : ns)
      },
      ...(everyMs === undefined ? {} : { dueAt: () => dueAtMs }),
    })
  }
  await Promise.all(Array.from({ length: connections }, (_, number) => connection(number)))
  const elapsedMs = performance.now() - since
  return { requests, elapsedMs, statuses, bodyBytes, lanes: lanes.map(toLane) }
}

function toLane(histogram: RecordableHistogram) {
  return {
    requests: Number(histogram.count),
    p50Ms: histogram.percentile(50) / NS_PER_MS,
    p95Ms: histogram.percentile(95) / NS_PER_MS,
    p99Ms: histogram.percentile(99) / NS_PER_MS,
    maxMs: histogram.max / NS_PER_MS,
  }
}

process.on('message', (slice: LoadSlice) => {
  play(slice).then(
    (result) => process.send?.(result),
    (error: unknown) => process.send?.({ failed: String(error) }),
  )
})
process.on('disconnect', () => process.exit())
