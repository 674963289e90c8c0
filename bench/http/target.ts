import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFreePort } from '@burgee/kit/free-port'
import { type MeasuredProcess, pinnedTo, startMeasured } from '../measured-process.ts'

/** Proxy in a separate process, on a separate core if the machine has several. */
export interface Target extends MeasuredProcess {
  readonly name: TargetName
  readonly port: number
}

export type TargetName = 'floor' | 'burgee' | 'peer'

const HERE = fileURLToPath(new URL('./', import.meta.url))
const COMMAND = join(HERE, '..', '..', 'bin', 'burgee.mjs')
const CLIENT_KEY = 'bench-key'
const HOUR_MS = 3_600_000

/** Client key that both proxies accept. */
export const CLIENT_KEY_HEADER = CLIENT_KEY

const SCRIPTS: Readonly<Record<TargetName, readonly string[]>> = {
  floor: [join(HERE, 'floor.mjs')],
  burgee: [COMMAND, 'proxy'],
  peer: [join(HERE, 'peer.mjs')],
}

/** Starts a proxy with `upstreamUrl` as upstream; resolves once it responds. */
export async function startTarget(
  name: TargetName,
  upstreamUrl: string,
  more: { readonly env?: Readonly<Record<string, string>>; readonly pin?: readonly string[] } = {},
): Promise<Target> {
  const port = await findFreePort('127.0.0.1')
  const folder = mkdtempSync(join(tmpdir(), `bench-${name}-`))
  const url = `http://127.0.0.1:${port}/proxy?userId=1`
  const started = await startMeasured({
    name,
    args: SCRIPTS[name],
    env: { ...createEnvironment(upstreamUrl, port, folder), ...more.env },
    pin: more.pin ?? pinnedTo(0),
    isReady: async () => (await fetch(url, { headers: { authorization: CLIENT_KEY } })).status === 200,
  })
  return {
    ...started,
    name,
    port,
    stop: async () => {
      await started.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Returns environment variables that both proxies support. These variables disable polling and metrics during
 * measurements.
 */
function createEnvironment(upstreamUrl: string, port: number, folder: string): Record<string, string> {
  return {
    UNLEASH_URL: upstreamUrl,
    UNLEASH_API_TOKEN: 'bench-token',
    UNLEASH_PROXY_CLIENT_KEYS: CLIENT_KEY,
    UNLEASH_FETCH_INTERVAL: String(HOUR_MS),
    UNLEASH_METRICS_INTERVAL: String(HOUR_MS),
    LOG_LEVEL: 'error',
    PORT: String(port),
    TMPDIR: folder,
    NODE_ENV: 'production',
  }
}
