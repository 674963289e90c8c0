import { addJitter, getBackoffMs } from '@burgee/kit/backoff'
import { startTimer } from '@burgee/kit/timer'
import { MAX_TOKENS_PER_REQUEST } from './token-validator.ts'

/** Dependencies of a `RevalidationJob`. */
export interface RevalidationJobDeps {
  /** Returns the tokens to validate in a round; called when the round begins. */
  readonly texts: () => readonly string[]
  /** Validates a batch of tokens and applies the results. Rejects if the upstream does not answer. */
  readonly validate: (texts: readonly string[]) => Promise<void>
  /**
   * Time from the end of a round to the start of the next, in milliseconds. If undefined, the next round starts only
   * after `wake`.
   */
  readonly intervalMs: number | undefined
  /** Called at the end of each round. Returns true if no further round is needed soon. */
  readonly isOver: () => boolean
  readonly onFailure: (error: unknown) => void
  readonly random: () => number
}

const RETRIES = { firstMs: 1000, maxMs: 10_000 }

/**
 * Validates all due tokens in rounds. Each round sends the tokens in batches. A failed round is retried after 1 s, then
 * at growing intervals up to 10 s, with jitter, and continues with the batch that failed.
 */
export class RevalidationJob {
  readonly #deps: RevalidationJobDeps
  #due: readonly string[] = []
  #tries = 0
  #timer: NodeJS.Timeout | undefined
  #isRunning = false
  #isWoken = false
  #isStopped = false

  constructor(deps: RevalidationJobDeps) {
    this.#deps = deps
  }

  /** Starts a round that validates all tokens, either at once or after the current round. */
  wake(): void {
    this.#isWoken = true
    if (this.#isRunning || this.#isStopped) return
    clearTimeout(this.#timer)
    void this.#run()
  }

  /** Starts a round in one second, which is also the delay before the first retry of a failed round. */
  retry(): void {
    this.#tries = Math.max(1, this.#tries)
    if (this.#isRunning || this.#isStopped) return
    clearTimeout(this.#timer)
    this.#schedule()
  }

  /** Schedules the first round, which starts after one interval. */
  wait(): void {
    if (this.#timer === undefined && !this.#isRunning) this.#schedule()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    if (this.#isWoken || this.#due.length === 0) this.#due = [...new Set(this.#deps.texts())]
    this.#isWoken = false
    try {
      await this.#validateDue()
      this.#tries = this.#deps.isOver() ? 0 : this.#tries + 1
    } catch (error) {
      this.#tries += 1
      if (!this.#isStopped) this.#deps.onFailure(error)
    }
    this.#isRunning = false
    this.#schedule()
  }

  async #validateDue(): Promise<void> {
    const due = this.#due
    for (let at = 0; at < due.length && !this.#isStopped; at += MAX_TOKENS_PER_REQUEST) {
      this.#due = due.slice(at)
      await this.#deps.validate(due.slice(at, at + MAX_TOKENS_PER_REQUEST))
    }
    this.#due = []
  }

  #schedule(): void {
    const delayMs = this.#isWoken && this.#tries === 0 ? 0 : this.#delayMs()
    if (this.#isStopped || delayMs === undefined) return
    this.#timer = startTimer(delayMs, () => void this.#run())
  }

  #delayMs(): number | undefined {
    if (this.#tries === 0) return this.#deps.intervalMs
    return addJitter(getBackoffMs(RETRIES, this.#tries), this.#deps.random)
  }
}
