/**
 * Reason for rejecting a token. `missing`: no token was sent. `form`: the token is malformed. `unknown`: the upstream
 * does not know it. `kind`: its kind cannot be used here, such as an admin token. `not-covered`: its scope is not
 * fetched.
 */
export type RefusalReason = 'missing' | 'form' | 'unknown' | 'kind' | 'not-covered'

const REFUSALS: Readonly<Record<RefusalReason, string>> = {
  missing: 'There is no token',
  form: 'The token is not of the form project:environment.secret',
  unknown: 'The upstream does not know the token',
  kind: 'The token is of the wrong kind',
  'not-covered': 'No token that was named at the start gets what this one is good for',
}

/** Thrown for a token that is certain to be unusable. The message does not contain the token. */
export class TokenRefused extends Error {
  readonly reason: RefusalReason
  constructor(reason: RefusalReason) {
    super(REFUSALS[reason])
    this.name = 'TokenRefused'
    this.reason = reason
  }
}

/**
 * Reason why a token could not be validated. `upstream`: the upstream failed. `busy`: too many tokens are waiting.
 * `starting`: this token depends on start-up tokens that are not validated yet. `crowded`: too many tokens of the
 * caller's network are waiting. `guessed`: the network sent too many invalid tokens.
 */
export type UndecidedReason = 'upstream' | 'busy' | 'starting' | 'crowded' | 'guessed'

const UNDECIDED: Readonly<Record<UndecidedReason, string>> = {
  upstream: 'The upstream cannot say whether the token is good',
  busy: 'Too many unknown tokens are waiting to be asked for',
  crowded: 'Too many unknown tokens from this network are waiting to be asked for',
  guessed: 'Too many wrong tokens come from this network',
  starting: 'The tokens of the start are not validated yet',
}

/** Thrown for a token that cannot be validated now. The message does not contain the token. */
export class TokenUndecided extends Error {
  readonly reason: UndecidedReason
  /** Status of the upstream's reply; undefined if there was none. */
  readonly status: number | undefined
  constructor(reason: UndecidedReason, status?: number, options?: ErrorOptions) {
    super(UNDECIDED[reason], options)
    this.name = 'TokenUndecided'
    this.reason = reason
    this.status = status
  }
}
