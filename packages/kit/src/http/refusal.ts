/** Why a request is refused before any handler sees it. */
export type RefusalReason = 'not-found' | 'media-type' | 'too-large' | 'syntax' | 'encoding' | 'bad-request'

const STATUS: Readonly<Record<RefusalReason, number>> = {
  'not-found': 404,
  'media-type': 415,
  'too-large': 413,
  syntax: 400,
  encoding: 415,
  'bad-request': 400,
}

/** A request that HTTP itself lets us refuse; the app's `renderError` decides how that reads. */
export class Refusal extends Error {
  readonly reason: RefusalReason
  constructor(reason: RefusalReason, message: string, options?: ErrorOptions) {
    // it says what a caller did, not where in the code: a stack would cost more than the rest of the reply
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message, options)
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'Refusal'
    this.reason = reason
  }

  /** The HTTP status that fits; renderers may choose another. */
  get status(): number {
    return STATUS[this.reason]
  }
}
