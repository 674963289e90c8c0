import { StacklessError } from '@burgee/protocol/problem'

/** Reason for rejecting a request before its handler runs. */
export type RefusalReason =
  | 'not-found'
  | 'media-type'
  | 'too-large'
  | 'syntax'
  | 'encoding'
  | 'bad-request'
  | 'timeout'
  | 'overloaded'

const STATUS: Readonly<Record<RefusalReason, number>> = {
  'not-found': 404,
  'media-type': 415,
  'too-large': 413,
  syntax: 400,
  encoding: 415,
  'bad-request': 400,
  timeout: 408,
  overloaded: 503,
}

/** Rejection at the HTTP level; the app's `renderError` turns it into a reply. */
export class Refusal extends StacklessError {
  readonly reason: RefusalReason
  constructor(reason: RefusalReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Refusal'
    this.reason = reason
  }

  /** HTTP status that corresponds to the reason; `renderError` may choose another. */
  get status(): number {
    return STATUS[this.reason]
  }
}
