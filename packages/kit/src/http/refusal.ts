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
    super(message, options)
    this.name = 'Refusal'
    this.reason = reason
  }

  /** The HTTP status that fits; renderers may choose another. */
  get status(): number {
    return STATUS[this.reason]
  }
}

/** Errors of the HTTP framework, by its codes. */
const REASONS: Readonly<Record<string, RefusalReason>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'media-type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'too-large',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad-request',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'syntax',
  FST_ERR_BAD_URL: 'not-found',
  FST_ERR_MAX_PARAM_LENGTH: 'not-found',
  FST_ERR_ASYNC_CONSTRAINT: 'bad-request',
}

/** Turns what the HTTP framework throws into a Refusal; any other error is returned as it is. */
export function refusalOf(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof Refusal) return error
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const reason = Object.hasOwn(REASONS, code) ? REASONS[code] : undefined
  return reason === undefined ? error : new Refusal(reason, error.message, { cause: error })
}
