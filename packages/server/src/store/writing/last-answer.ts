/**
 * What a change ends with when it has sent its last statement: it asks nothing more, and `answer` comes with the answers
 * to what it has sent. The next change, or the commit, is sent behind it meanwhile.
 */
export class LastAnswer<T> {
  readonly answer: Promise<T>
  /** Whether it writes events, which other nodes are to hear of. */
  readonly hasEvents: boolean

  constructor(answer: Promise<T>, hasEvents: boolean) {
    this.answer = answer
    this.hasEvents = hasEvents
    // whoever takes it may be late
    answer.catch(() => {})
  }
}
