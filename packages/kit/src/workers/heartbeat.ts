import type { Logger } from '../log/logger.ts'
import type { PlainChannel } from './messages.ts'

/** A worker, as far as it is watched. */
interface Watched {
  readonly channel: PlainChannel
  readonly ended: Promise<unknown>
  kill(): void
}

const BEAT_MS = 1000
/** A long computation of the operator's own code, or a machine that is busy, is no reason to kill anybody. */
const MOST_MISSED = 5

/**
 * Asks a worker every second whether it is there, from its first word until its end, and kills one that has not
 * answered five times: it stands still, and the connections it has are not answered by anybody else. Questions are
 * counted and not time, so that nobody is killed after this process itself stood still.
 */
export function watchHeartbeat(worker: Watched, logger: Logger): void {
  let missed = 0
  let beating: NodeJS.Timeout | undefined
  const beat = () => {
    if (missed === MOST_MISSED) {
      logger.error(`A worker has not answered for ${(MOST_MISSED * BEAT_MS) / 1000} s and is killed`)
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
