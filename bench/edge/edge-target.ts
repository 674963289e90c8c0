import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '@burgee/kit/free-port'
import { type MeasuredProcess, pinnedTo, startMeasured } from '../measured-process.ts'

/** Edge in a separate process, on a separate core if the machine has several. */
export interface EdgeTarget extends MeasuredProcess {
  readonly port: number
  /** Time from the start of the process until it was ready. */
  readonly readyMs: number
}

/** Two tokens: the edge starts with the first, and SDKs send the second. */
export const EDGE_TOKENS = { start: '*:development.start', web: '*:development.web' } as const

const COMMAND = fileURLToPath(new URL('../../bin/burgee.mjs', import.meta.url))
const HOUR_SECONDS = 3600

/**
 * Starts an edge in front of an upstream; resolves once the edge is ready. The edge polls the upstream once an hour
 * unless `env` overrides the interval.
 */
export async function startEdge(
  upstreamUrl: string,
  more: { readonly env?: Readonly<Record<string, string>>; readonly pin?: readonly string[] } = {},
): Promise<EdgeTarget> {
  const port = await findFreePort('127.0.0.1')
  const folder = mkdtempSync(join(tmpdir(), 'bench-edge-'))
  const beganAt = performance.now()
  const started = await startMeasured({
    name: 'edge',
    args: [COMMAND, 'edge'],
    env: {
      UPSTREAM_URL: upstreamUrl,
      TOKENS: EDGE_TOKENS.start,
      PORT: String(port),
      INTERFACE: '127.0.0.1',
      FEATURES_REFRESH_INTERVAL_SECONDS: String(HOUR_SECONDS),
      METRICS_INTERVAL_SECONDS: String(HOUR_SECONDS),
      LOG_LEVEL: 'error',
      TMPDIR: folder,
      NODE_ENV: 'production',
      ...more.env,
    },
    pin: more.pin ?? pinnedTo(0),
    isReady: async () => (await fetch(`http://127.0.0.1:${port}/internal-backstage/ready`)).status === 200,
  })
  return {
    ...started,
    port,
    readyMs: performance.now() - beganAt,
    stop: async () => {
      await started.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
