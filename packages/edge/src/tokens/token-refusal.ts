/**
 * Why a token is not taken: there is none; it is no token by its form; the upstream does not know it; it is of a kind that
 * is not for this (an administrator's); what it is good for is not fetched.
 */
export type RefusalReason = 'missing' | 'form' | 'unknown' | 'kind' | 'not-covered'

const REFUSALS: Readonly<Record<RefusalReason, string>> = {
  missing: 'There is no token',
  form: 'The token is not of the form project:environment.secret',
  unknown: 'The upstream does not know the token',
  kind: 'The token is of the wrong kind',
  'not-covered': 'No token that was named at the start gets what this one is good for',
}

/** A token that may not be used, for certain. Nothing of it is in the message. */
export class TokenRefused extends Error {
  readonly reason: RefusalReason
  constructor(reason: RefusalReason) {
    super(REFUSALS[reason])
    this.name = 'TokenRefused'
    this.reason = reason
  }
}

/**
 * Why nobody can say yet: the upstream failed; more tokens are waiting to be asked for than may; tokens of the start, on
 * which it depends, are not known yet; the network that asks has no more places in the queue; it has shown too many wrong
 * tokens.
 */
export type UndecidedReason = 'upstream' | 'busy' | 'starting' | 'crowded' | 'guessed'

const UNDECIDED: Readonly<Record<UndecidedReason, string>> = {
  upstream: 'The upstream cannot say whether the token is good',
  busy: 'Too many unknown tokens are waiting to be asked for',
  crowded: 'Too many unknown tokens from this network are waiting to be asked for',
  guessed: 'Too many wrong tokens come from this network',
  starting: 'The tokens of the start are not validated yet',
}

/** A token of which nobody can say now whether it may be used. Nothing of it is in the message. */
export class TokenUndecided extends Error {
  readonly reason: UndecidedReason
  /** What the upstream answered; undefined where it did not. */
  readonly status: number | undefined
  constructor(reason: UndecidedReason, status?: number, options?: ErrorOptions) {
    super(UNDECIDED[reason], options)
    this.name = 'TokenUndecided'
    this.reason = reason
    this.status = status
  }
}
