import type { Logger } from '../log/logger.ts'
import type { PlainChannel } from './messages.ts'

/** Properties of a worker that the heartbeat needs. */
interface WatchedWorker {
  readonly channel: PlainChannel
  readonly ended: Promise<unknown>
  kill(): void
}

const BEAT_MS = 1000
/**
 * Maximum number of consecutive unanswered pings. The limit is generous, so that a long computation in a plugin or a
 * busy machine does not get a worker killed.
 */
const MAX_MISSED_BEATS = 5

/**
 * Pings a worker every second, from its `hello` message until it exits. Kills the worker after five unanswered pings,
 * because it is stuck and no other process can answer its connections. Counts pings rather than time, so that no worker
 * is killed just because this process itself was blocked.
 */
export function watchHeartbeat(worker: WatchedWorker, logger: Logger): void {
  let missed = 0
  let beating: NodeJS.Timeout | undefined
  const beat = () => {
    if (missed === MAX_MISSED_BEATS) {
      logger.error(`A worker has not answered for ${(MAX_MISSED_BEATS * BEAT_MS) / 1000} s; killing it`)
      worker.kill()
    }
    missed += 1
    worker.channel.send({ kind: 'beat' })
  }
  worker.channel.listen((message) => {
    if (message.kind === 'beat') missed = 0
    if (message.kind !== 'hello') return
    clearInterval(beating)
    beating = setInterval(beat, BEAT_MS)
  })
  void worker.ended.then(() => clearInterval(beating))
}
