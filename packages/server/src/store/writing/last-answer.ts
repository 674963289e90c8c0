import type { ChangedFlags } from './changed-flags.ts'

/** What is known of a change that has sent its last statement. */
export interface LastSaid {
  /** Whether it writes events, which other nodes are to hear of. */
  readonly hasEvents: boolean
  /** Flags that it changes: how they are then is read with the commit. */
  readonly changed?: ChangedFlags | undefined
}

/**
 * What a change ends with when it has sent its last statement: it asks nothing more, and `answer` comes with the answers
 * to what it has sent. The next change, or the commit, is sent behind it meanwhile.
 */
export class LastAnswer<T> implements LastSaid {
  readonly answer: Promise<T>
  readonly hasEvents: boolean
  readonly changed: ChangedFlags | undefined

  constructor(answer: Promise<T>, { hasEvents, changed }: LastSaid) {
    this.answer = answer
    this.hasEvents = hasEvents
    this.changed = changed
    // whoever takes it may be late
    answer.catch(() => {})
  }
}
