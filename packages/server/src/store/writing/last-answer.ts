import type { ChangedFlags } from './changed-flags.ts'

/** Facts about a change that has sent its last statement. */
export interface LastSaid {
  /** True if the change writes events, which other nodes are notified of. */
  readonly hasEvents: boolean
  /** Flags that the change modifies; their new state is read with the commit. */
  readonly changed?: ChangedFlags | undefined
}

/**
 * Returned by a change that has sent its last statement. `answer` settles with the results of the statements in flight,
 * while the next change or the commit is already sent behind them.
 */
export class LastAnswer<T> implements LastSaid {
  readonly answer: Promise<T>
  readonly hasEvents: boolean
  readonly changed: ChangedFlags | undefined

  constructor(answer: Promise<T>, { hasEvents, changed }: LastSaid) {
    this.answer = answer
    this.hasEvents = hasEvents
    this.changed = changed
    // the consumer may attach its handlers late
    answer.catch(() => {})
  }
}
