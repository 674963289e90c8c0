import type { ProblemBody } from '@burgee/protocol/problem'
import { reportApiFailure } from './api-failures.ts'
import { ME_PATH } from './first/me-path.ts'

/** Time limit of a request in milliseconds, from the first byte sent to the last byte received. */
const DEFAULT_TIMEOUT_MS = 30_000
const LONG_TIMEOUT_MS = 150_000
const UNAUTHORIZED = 401
/**
 * Error codes of 401 responses that do not mean that the session is missing, such as a used link or a wrong password.
 */
const NON_SESSION_CODES: ReadonlySet<string> = new Set(['InvalidTokenError', 'PasswordMismatch'])

/**
 * Failed request. `status` is 0 if no response arrived. `message` is the server's wording, for logs only;
 * `text/problem.ts` produces the text for users.
 */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly body: Partial<ProblemBody>

  constructor(status: number, message: string, body: Partial<ProblemBody> = {}) {
    super(message)
    this.status = status
    this.code = body.name ?? ''
    this.body = body
  }

  /** True if no response arrived: the server is unreachable or timed out. */
  get isUnanswered(): boolean {
    return this.status === 0
  }

  /** True after a timeout. The server may have applied the request, or may still apply it. */
  get isTimeout(): boolean {
    return this.code === TIMEOUT_ERROR
  }

  /** True if the user is not logged in or the session has ended. */
  get isLoggedOut(): boolean {
    return this.status === UNAUTHORIZED && !NON_SESSION_CODES.has(this.code)
  }
}

const TIMEOUT_ERROR = 'LateError'

const REVISION = 'x-burgee-revision'
/**
 * Revision that contains the last change made by this page. A server node responds to this page's further requests only
 * after it has reached this revision.
 */
let lastRevision: string | undefined

/**
 * Base path of the page without a trailing slash, such as '' or '/base'. The server inserts this path into the page.
 */
export const BASE_PATH = document.querySelector<HTMLMetaElement>('meta[name="base-path"]')?.content ?? ''

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Check before a change is sent; resolves to false to cancel the change. */
type ChangeCheck = (path: string, body: unknown) => Promise<boolean>

let changeCheck: ChangeCheck | undefined

/** Sets the check that runs before each change. A cancelled change fails with the code `CancelledError`. */
export function setChangeCheck(check: ChangeCheck | undefined): void {
  changeCheck = check
}

const CANCELLED = 499

/** Value of a response, with its ETag for `If-Match`. */
export interface WithEtag<T> {
  readonly value: T
  readonly etag: string | undefined
}

/**
 * Sends a request to the server that this page comes from. `T` is the type of the response. If `ifMatch` is given, the
 * server responds with 412 if the resource has changed. Throws ApiError.
 */
export async function call<T>(method: Method, path: string, body?: unknown, ifMatch?: string): Promise<T> {
  return (await exchange<T>(method, path, body, ifMatch === undefined ? {} : { ifMatch })).value
}

/** Posts a request that may take the server minutes to process; `ifMatch` works as in `call`. Throws ApiError. */
export async function callWithLongTimeout<T>(path: string, body: unknown, ifMatch?: string): Promise<T> {
  const manner = { limitMs: LONG_TIMEOUT_MS, ...(ifMatch === undefined ? {} : { ifMatch }) }
  return (await exchange<T>('POST', path, body, manner)).value
}

/** Posts a read-only query that may take minutes, and returns the response with its ETag. Throws ApiError. */
export const postLongQuery = <T>(path: string, body: unknown): Promise<WithEtag<T>> =>
  exchange<T>('POST', path, body, { limitMs: LONG_TIMEOUT_MS, isReadOnly: true })

/**
 * Posts a read-only query. If no response arrives, the failure is not reported as an unknown outcome, because the query
 * changes nothing. `signal` aborts the query. Throws ApiError.
 */
export async function postQuery<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return (await exchange<T>('POST', path, body, { isReadOnly: true, signal })).value
}

/** Fetches a resource with its ETag. Throws ApiError. */
export const fetchWithEtag = <T>(path: string): Promise<WithEtag<T>> => exchange<T>('GET', path)

/** Options of a request. */
interface RequestOptions {
  readonly ifMatch?: string
  readonly limitMs?: number
  /** True if the request is read-only even though its method is not GET. */
  readonly isReadOnly?: boolean
  readonly signal?: AbortSignal | undefined
  /** True if the request is sent again because its 401 belonged to an earlier session. */
  readonly isRepeated?: boolean
}

async function exchange<T>(
  method: Method,
  path: string,
  body?: unknown,
  manner: RequestOptions = {},
): Promise<WithEtag<T>> {
  const mayBeDone = method !== 'GET' && manner.isReadOnly !== true
  if (mayBeDone && manner.isRepeated !== true && changeCheck !== undefined && !(await changeCheck(path, body)))
    throw new ApiError(CANCELLED, 'Cancelled', { name: 'CancelledError' })
  try {
    return await attempt<T>(method, path, body, manner)
  } catch (error) {
    if (error instanceof ApiError && error.isLoggedOut) {
      // The server has not processed the request, so that even a change can be sent again.
      if (manner.isRepeated !== true && (await isSessionValid())) {
        return exchange<T>(method, path, body, { ...manner, isRepeated: true })
      }
      reportApiFailure('logged-out')
    }
    if (error instanceof ApiError && error.isUnanswered && mayBeDone) reportApiFailure('outcome-unknown')
    throw error
  }
}

/** Id of the user whose data this page shows; undefined before the first login. */
let shownUser: number | undefined
let sessionCheck: Promise<boolean> | undefined

/**
 * Returns true if the browser has a session of the user whose data this page shows. A 401 may belong to the time before
 * that session: to a prefetched request, or to a request that was on its way during a login in another tab.
 */
async function isSessionValid(): Promise<boolean> {
  if (shownUser === undefined) return false
  sessionCheck ??= send('GET', ME_PATH, undefined, {})
    .then(({ reply, text }) => reply.ok && getUserId(parseJson(text)) === shownUser)
    .catch(() => false)
    .finally(() => {
      sessionCheck = undefined
    })
  return sessionCheck
}

const getUserId = (value: unknown): number | undefined => (value as { user?: { id?: number } } | undefined)?.user?.id

interface RawResponse {
  readonly reply: Response
  readonly text: string
}

const MAX_PREFETCH_AGE_MS = 5000
/** Prefetched responses, keyed by path. Each prefetched response is used once. */
const prefetched = new Map<string, { readonly received: Promise<RawResponse>; readonly beganAt: number }>()

/** Prefetches a path. The next `call` for this path uses the prefetched response unless it is too old by then. */
export function prefetch(path: string): void {
  const received = send('GET', path, undefined, {})
  // If the prefetch fails, that `call` reports the error.
  received.catch(() => undefined)
  prefetched.set(path, { received, beganAt: performance.now() })
}

function takePrefetched(path: string): Promise<RawResponse> | undefined {
  const one = prefetched.get(path)
  prefetched.delete(path)
  return one !== undefined && performance.now() - one.beganAt < MAX_PREFETCH_AGE_MS ? one.received : undefined
}

async function attempt<T>(method: Method, path: string, body: unknown, manner: RequestOptions): Promise<WithEtag<T>> {
  const known = method === 'GET' ? takePrefetched(path) : undefined
  const { reply, text } = await (known ?? send(method, path, body, manner))
  const value = parseJson(text)
  if (reply.ok && path === ME_PATH) shownUser = getUserId(value)
  if (reply.ok) return { value: value as T, etag: reply.headers.get('etag') ?? undefined }
  throw toApiError(reply, value, text)
}

async function send(
  method: Method,
  path: string,
  body: unknown,
  { ifMatch, limitMs = DEFAULT_TIMEOUT_MS, signal: given }: RequestOptions,
): Promise<RawResponse> {
  const headers = {
    accept: 'application/json',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    ...(lastRevision === undefined ? {} : { [REVISION]: lastRevision }),
  }
  const content = body === undefined ? {} : { body: JSON.stringify(body) }
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), limitMs)
  try {
    const signal = given === undefined ? patience.signal : AbortSignal.any([given, patience.signal])
    const options = { method, credentials: 'same-origin', headers, signal, ...content } as const
    const reply = await fetch(`${BASE_PATH}${path}`, options)
    lastRevision = getLaterRevision(lastRevision, reply.headers.get(REVISION) ?? undefined)
    return { reply, text: await reply.text() }
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new ApiError(0, message, patience.signal.aborted ? { name: TIMEOUT_ERROR } : {})
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Returns the later of two revisions: responses may arrive in any order. Revisions with different database epochs
 * (after the colon) are not comparable.
 */
function getLaterRevision(known: string | undefined, latest: string | undefined): string | undefined {
  const [knownId = '', knownEpoch] = known?.split(':') ?? []
  const [receivedId = '', receivedEpoch] = latest?.split(':') ?? []
  return latest === undefined || (knownEpoch === receivedEpoch && Number(knownId) > Number(receivedId)) ? known : latest
}

function toApiError(reply: Response, value: unknown, text: string): ApiError {
  const body = typeof value === 'object' && value !== null ? (value as Partial<ProblemBody>) : {}
  const details = body.details?.map((detail) => detail.message).filter((message) => message !== body.message) ?? []
  const message = [...new Set([body.message ?? text, ...details])].filter((part) => part !== '').join(' ')
  return new ApiError(reply.status, message === '' ? reply.statusText : message, body)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Builds a path from parts, encoding each part: `buildPath('api', 'a b')` returns `/api/a%20b`. */
export function buildPath(...parts: readonly (string | number)[]): string {
  return parts.map((part) => `/${encodeURIComponent(part)}`).join('')
}

/** Builds a query string that starts with '?'. Skips undefined values, empty strings and empty lists. */
export function buildQueryString(
  values: Readonly<Record<string, string | number | readonly string[] | undefined>>,
): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== '') query.append(name, String(one))
    }
  }
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}
