import type { Tx } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import type { Change, ChangeContext } from '../../core/execute.ts'

/**
 * Runs the changes of one import in sequence and collects their events. There may be more events than a function call
 * can take as arguments.
 */
export class Steps {
  readonly events: NewEvent[] = []
  readonly #tx: Tx
  readonly #context: ChangeContext

  constructor(tx: Tx, context: ChangeContext) {
    this.#tx = tx
    this.#context = context
  }

  /** Runs a change as part of the import. */
  async do<I, O>(change: Change<I, O>, input: I): Promise<O> {
    const { result, events } = await change(this.#tx, input, this.#context)
    this.add(events)
    return result
  }

  /** Adds the events of a change that was run elsewhere. */
  add(events: readonly NewEvent[]): void {
    for (const event of events) this.events.push(event)
  }
}
