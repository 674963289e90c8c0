/**
 * Returned by a change whose last statements were sent but not yet answered. `answer` settles with the results of these
 * statements, and rejects only if one of the statements fails. While they are in flight, the next change or the commit
 * can be sent.
 */
export class PipelinedResult<T> {
  readonly answer: Promise<T>

  constructor(answer: Promise<T>) {
    this.answer = answer
    // `answer` may reject before the consumer attaches its handlers
    answer.catch(() => {})
  }
}
