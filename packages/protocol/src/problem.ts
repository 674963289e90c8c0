import Type, { type Static } from 'typebox'

/**
 * Names of errors and their HTTP status. Source: spec "Errors", which contains the spelling "ContentTypeerror"; the
 * other names come from Unleash.
 */
export const PROBLEMS = {
  ValidationError: 400,
  PasswordWeakError: 400,
  AuthenticationRequired: 401,
  PasswordMismatch: 401,
  InvalidTokenError: 401,
  NoAccessError: 403,
  InvalidOperationError: 403,
  NotFoundError: 404,
  NameExistsError: 409,
  ConflictError: 409,
  PreconditionFailedError: 412,
  ContentTypeerror: 415,
  PayloadTooLargeError: 413,
  RateLimitError: 429,
  MaintenanceModeError: 503,
} as const
export type ProblemName = keyof typeof PROBLEMS

/**
 * One reason for an error. An error can have several reasons. `path` locates the cause in the request, such as
 * `body/tags/addedTags`.
 */
export const ProblemDetail = Type.Object({ message: Type.String(), path: Type.Optional(Type.String()) })
export type ProblemDetail = Static<typeof ProblemDetail>

/** Body of every error response. Source: spec "Error body"; `details` and other keys are Burgee extensions. */
export const ProblemBody = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    message: Type.String(),
    details: Type.Optional(Type.Array(ProblemDetail)),
  },
  { additionalProperties: true },
)
export type ProblemBody = Static<typeof ProblemBody>

/**
 * Optional parts of an error response: separate reasons, properties that some clients read (`permissions`, `path`), and
 * response headers.
 */
export interface ProblemOptions extends ErrorOptions {
  readonly details?: readonly ProblemDetail[]
  readonly extra?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * Error caused by a mistake of the caller. The error has no stack trace, because capturing one would cost more than the
 * rest of the response.
 */
export class StacklessError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message, options)
    Error.stackTraceLimit = stackTraceLimit
  }
}

/**
 * Error whose message may be shown to the caller. `message` is public; secrets and stack traces belong in `cause`,
 * which is only logged.
 */
export class Problem extends StacklessError {
  readonly id: string = crypto.randomUUID()
  override readonly name: ProblemName
  readonly details: readonly ProblemDetail[] | undefined
  readonly extra: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>

  constructor(name: ProblemName, message: string, options: ProblemOptions = {}) {
    super(message, options)
    this.name = name
    this.details = options.details
    this.extra = options.extra ?? {}
    this.headers = options.headers ?? {}
  }

  /** HTTP status of this error. */
  get status(): number {
    return PROBLEMS[this.name]
  }

  /** Returns the body of the error response; see spec "Error body". */
  toJSON(): ProblemBody {
    const details = this.details === undefined ? {} : { details: [...this.details] }
    return { id: this.id, name: this.name, message: this.message, ...details, ...this.extra }
  }
}
