import { FairQueue } from '@burgee/kit/fair-queue'

/** Purpose of reading from Prometheus. Purposes take turns, so that charts cannot delay safeguards for long. */
export type ReadPurpose = 'chart' | 'safeguard'

/** Maximum number of concurrent reads per process, because each read can occupy several MiB of memory. */
const MAX_CONCURRENT = 4
const MAX_WAITING = 200
/** Maximum time for which a read waits for its turn. */
const MAX_WAIT_MS = 20_000

/** Thrown if a read was not started in time. */
export class ReadRejected extends Error {
  override readonly name = 'ReadRejected'
}

interface QueuedRead {
  readonly start: () => void
  readonly reject: () => void
}

/** Limits how many reads from Prometheus run at the same time. Further reads wait. */
export class PrometheusReads {
  readonly #waiting = new FairQueue<QueuedRead>({ max: MAX_WAITING })
  readonly #maxWaitMs: number
  #running = 0
  #lastKey = 0

  constructor(maxWaitMs = MAX_WAIT_MS) {
    this.#maxWaitMs = maxWaitMs
  }

  /**
   * Runs a read when it is its turn. Rejects with ReadRejected if too many reads are waiting, or if this read waits too
   * long.
   */
  async run<T>(purpose: ReadPurpose, read: () => Promise<T>): Promise<T> {
    if (this.#running < MAX_CONCURRENT) this.#running += 1
    else await this.#wait(purpose)
    try {
      return await read()
    } finally {
      this.#release()
    }
  }

  /** Waits until another read hands over its slot. */
  #wait(purpose: ReadPurpose): Promise<void> {
    return new Promise((resolve, reject) => {
      let hasEnded = false
      const rejectOnce = () => {
        hasEnded = true
        clearTimeout(timer)
        reject(new ReadRejected('Too many queries to Prometheus are waiting'))
      }
      const timer = setTimeout(rejectOnce, this.#maxWaitMs)
      const start = () => {
        clearTimeout(timer)
        if (hasEnded) this.#release()
        else resolve()
      }
      this.#lastKey += 1
      this.#waiting.add(purpose, String(this.#lastKey), { start, reject: rejectOnce })?.reject()
    })
  }

  /** Hands over the slot of a finished read to the next waiting one. */
  #release(): void {
    const [next] = this.#waiting.take(1).values()
    if (next === undefined) this.#running -= 1
    else next.start()
  }
}
