import { SILENT } from '@burgee/kit/log/logger'
import { start } from '@burgee/proxy'
import type { FakeUpstream } from '../support/upstream.ts'
import { until } from '../support/wait.ts'
import { COMMON } from './configurations.ts'
import { type Answer, Exchange, type PeerRequest } from './exchange.ts'
import { startPeer } from './peer-process.ts'

/** Both proxies, started in the same way with one upstream. */
export interface Rig {
  /** Sends the same request to both proxies. */
  readonly play: (request: PeerRequest) => Promise<{ readonly peer: Answer; readonly ours: Answer }>
  readonly stop: () => Promise<void>
}

/** Options of a rig. */
export interface RigOptions {
  readonly upstream: FakeUpstream
  readonly env: Readonly<Record<string, string>>
  /** Parent folder for the files of Unleash Proxy. */
  readonly folder: string
  /** Path of the health endpoint to wait for; undefined to start without waiting. */
  readonly readyPath: string | undefined
}

/**
 * Starts both proxies with the same variables. Each proxy reaches the upstream under a separate path: `/peer` and
 * `/ours`.
 */
export async function startRig({ upstream, env, folder, readyPath }: RigOptions): Promise<Rig> {
  const environmentOf = (who: string) => ({
    ...COMMON,
    // an earlier run may have left a backup behind
    FLAG_BACKUP: 'false',
    // Unleash Proxy does not support streams
    FLAG_STREAMING: 'off',
    ...env,
    UNLEASH_URL: upstream.url.replace('/api', `/${who}/api`),
  })
  const [peer, ours] = await Promise.all([
    startPeer(environmentOf('peer'), folder),
    start({ logger: SILENT, port: 0, host: '127.0.0.1' }, { env: environmentOf('ours') }),
  ])
  const exchanges = [new Exchange(peer.url), new Exchange(`http://127.0.0.1:${ours.port}`)] as const
  const rig: Rig = {
    play: async (request) => {
      const [peerAnswer, ownAnswer] = await Promise.all(exchanges.map((exchange) => exchange.play(request)))
      return { peer: peerAnswer as Answer, ours: ownAnswer as Answer }
    },
    stop: async () => {
      for (const exchange of exchanges) exchange.close()
      await Promise.all([peer.stop(), ours.close()])
    },
  }
  if (readyPath !== undefined) {
    const request = { method: 'GET', path: readyPath, headers: [] }
    await until(async () => {
      const answers = await rig.play(request)
      return answers.peer.status === 200 && answers.ours.status === 200
    })
  }
  return rig
}
