import type { ChangedFlags } from './changed-flags.ts'

/** Data about the events of a change that has sent its last statement. */
export interface PipelinedResultInfo {
  /** True if the change writes events. Other nodes are then notified. */
  readonly hasEvents: boolean
  /** Flags that the change modifies; their new state is read with the commit. */
  readonly changed?: ChangedFlags | undefined
}

/**
 * Return value of a change whose last statements have been sent but not answered yet. `answer` settles with their
 * results. Until then, the next change or the commit can already be sent.
 */
export class PipelinedResult<T> implements PipelinedResultInfo {
  readonly result: Promise<T>
  readonly hasEvents: boolean
  readonly changed: ChangedFlags | undefined

  constructor(answer: Promise<T>, { hasEvents, changed }: PipelinedResultInfo) {
    this.result = answer
    this.hasEvents = hasEvents
    this.changed = changed
    // the consumer may attach its handlers after `answer` has rejected
    answer.catch(() => {})
  }
}
