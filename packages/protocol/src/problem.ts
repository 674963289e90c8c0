import Type, { type Static } from 'typebox'

/**
 * Every way a request can fail: error name → HTTP status.
 * Source: spec "Errors" ("ContentTypeerror" is spelled so there); the other names are those of the established server.
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

/** One reason among several; `path` points into the request, as in `body/tags/addedTags`. */
export const ProblemDetail = Type.Object({ message: Type.String(), path: Type.Optional(Type.String()) })
export type ProblemDetail = Static<typeof ProblemDetail>

/** Body of every error reply. Source: spec "Error body"; `details` and further keys are additions. */
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
 * What may be told besides the message: reasons one by one, keys that some clients read (`permissions`, `path`), and
 * headers of the reply.
 */
export interface ProblemOptions extends ErrorOptions {
  readonly details?: readonly ProblemDetail[]
  readonly extra?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * An error that says what a caller did, not where in the code: it has no stack, which would cost more than the rest of the
 * reply.
 */
export class StacklessError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message, options)
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** A failure its caller may read. `message` is public; secrets and stack go in `cause`, which only the log sees. */
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

  /** The HTTP status of this kind of failure. */
  get status(): number {
    return PROBLEMS[this.name]
  }

  /** The error body, spec "Error body". */
  toJSON(): ProblemBody {
    const details = this.details === undefined ? {} : { details: [...this.details] }
    return { id: this.id, name: this.name, message: this.message, ...details, ...this.extra }
  }
}
