import { HttpUpstream, type HttpUpstreamDeps } from '@burgee/edge/upstream/http-upstream'
import { SILENT } from '@burgee/kit/log/logger'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { createDispatcher } from '@burgee/serving/upstream/dispatcher'

/** Creates an edge's HTTP upstream with short intervals. */
export function upstreamAt(url: string, more: Partial<HttpUpstreamDeps> = {}): HttpUpstream {
  return new HttpUpstream({
    url,
    identity: { appName: 'an-edge', instanceId: 'edge-1', connectionId: 'c-1', sdkVersion: 'burgee-edge:test' },
    dispatcher: createDispatcher({ connect: {}, addresses: [] }),
    timeoutMs: 5000,
    refreshIntervalMs: 20,
    metricsIntervalMs: 60_000,
    streaming: 'off',
    onRejected: () => {},
    onTokenChanges: () => {},
    monotonic: PROCESS_CLOCK,
    random: Math.random,
    logger: SILENT,
    ...more,
  })
}
