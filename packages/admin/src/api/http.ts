import type { ProblemBody } from '@burgee/protocol/problem'
import { report } from './trouble.ts'

/** How long an answer may take, from the first byte sent to the last one read. */
const LIMIT_MS = 30_000
const PATIENT_MS = 150_000
const UNAUTHORIZED = 401
/** Refusals with the status of a missing login that have another reason: a used link, a wrong password. */
const NOT_THE_SESSION: ReadonlySet<string> = new Set(['InvalidTokenError', 'PasswordMismatch'])

/**
 * A reply that is no success; `status` 0 where there is none. `message` is what the server says, for logs: what people
 * read is written in `text/problem.ts`.
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

  /** No answer at all: no way to the server, or none in time. */
  get isUnanswered(): boolean {
    return this.status === 0
  }

  /** No answer in time: what was asked for may be done, now or in a moment. */
  get isLate(): boolean {
    return this.code === LATE
  }

  /** Nobody is logged in, or not any more. */
  get isLoggedOut(): boolean {
    return this.status === UNAUTHORIZED && !NOT_THE_SESSION.has(this.code)
  }
}

const LATE = 'LateError'

const REVISION = 'x-burgee-revision'
/** What the last change of this page has led to: a node that answers has to know it. */
let lastRevision: string | undefined

/** Path of the page's base, without the slash at its end: '' or '/base'. */
export const BASE_PATH = new URL(document.baseURI).pathname.replace(/\/$/, '')

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** What the server said, and the state that it was in; see `If-Match`. */
export interface Tagged<T> {
  readonly value: T
  readonly etag: string | undefined
}

/**
 * Sends a request to the server that this page came from; `T` is what the endpoint answers. With `ifMatch` the server
 * refuses (412) when what is changed is not in that state any more. Throws ApiError.
 */
export async function call<T>(method: Method, path: string, body?: unknown, ifMatch?: string): Promise<T> {
  return (await exchange<T>(method, path, body, ifMatch === undefined ? {} : { ifMatch })).value
}

/** Posts what the server may work on for minutes; see `call` for `ifMatch`. Throws ApiError. */
export async function callPatiently<T>(path: string, body: unknown, ifMatch?: string): Promise<T> {
  const manner = { limitMs: PATIENT_MS, ...(ifMatch === undefined ? {} : { ifMatch }) }
  return (await exchange<T>('POST', path, body, manner)).value
}

/** Asks by a body what changes nothing and may take minutes, and in which state that is so. Throws ApiError. */
export const askTagged = <T>(path: string, body: unknown): Promise<Tagged<T>> =>
  exchange<T>('POST', path, body, { limitMs: PATIENT_MS, isQuestion: true })

/**
 * Asks by a body what changes nothing, so that a missing answer leaves nothing in doubt; `signal` takes the question back.
 * Throws ApiError.
 */
export async function ask<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return (await exchange<T>('POST', path, body, { isQuestion: true, signal })).value
}

/** Reads something together with its state. Throws ApiError. */
export const readTagged = <T>(path: string): Promise<Tagged<T>> => exchange<T>('GET', path)

/** How something is asked. */
interface Manner {
  readonly ifMatch?: string
  readonly limitMs?: number
  /** It changes nothing, whatever its method. */
  readonly isQuestion?: boolean
  readonly signal?: AbortSignal | undefined
}

async function exchange<T>(method: Method, path: string, body?: unknown, manner: Manner = {}): Promise<Tagged<T>> {
  try {
    return await attempt<T>(method, path, body, manner)
  } catch (error) {
    if (error instanceof ApiError && error.isLoggedOut) report('logged-out')
    const mayBeDone = method !== 'GET' && manner.isQuestion !== true
    if (error instanceof ApiError && error.isUnanswered && mayBeDone) report('outcome-unknown')
    throw error
  }
}

interface Received {
  readonly reply: Response
  readonly text: string
}

const EARLY_MS = 5000
/** What was asked for before its reader was there; each is read once. */
const early = new Map<string, { readonly received: Promise<Received>; readonly beganAt: number }>()

/** Begins to read what `call` will be asked for by this path: the next one gets this answer, unless it is old by then. */
export function readEarly(path: string): void {
  const received = send('GET', path, undefined, {})
  // it is the reader who says what is wrong
  received.catch(() => undefined)
  early.set(path, { received, beganAt: performance.now() })
}

function takeEarly(path: string): Promise<Received> | undefined {
  const one = early.get(path)
  early.delete(path)
  return one !== undefined && performance.now() - one.beganAt < EARLY_MS ? one.received : undefined
}

async function attempt<T>(method: Method, path: string, body: unknown, manner: Manner): Promise<Tagged<T>> {
  const known = method === 'GET' ? takeEarly(path) : undefined
  const { reply, text } = await (known ?? send(method, path, body, manner))
  const value = parse(text)
  if (reply.ok) return { value: value as T, etag: reply.headers.get('etag') ?? undefined }
  throw errorOf(reply, value, text)
}

async function send(
  method: Method,
  path: string,
  body: unknown,
  { ifMatch, limitMs = LIMIT_MS, signal: given }: Manner,
): Promise<Received> {
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
    lastRevision = laterOf(lastRevision, reply.headers.get(REVISION) ?? undefined)
    return { reply, text: await reply.text() }
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    throw new ApiError(0, message, patience.signal.aborted ? { name: LATE } : {})
  } finally {
    clearTimeout(timer)
  }
}

/** Replies come in any order; numbers of another life of the database, behind the colon, cannot be compared. */
function laterOf(known: string | undefined, told: string | undefined): string | undefined {
  const [knownId = '', knownLife] = known?.split(':') ?? []
  const [toldId = '', toldLife] = told?.split(':') ?? []
  return told === undefined || (knownLife === toldLife && Number(knownId) > Number(toldId)) ? known : told
}

function errorOf(reply: Response, value: unknown, text: string): ApiError {
  const body = typeof value === 'object' && value !== null ? (value as Partial<ProblemBody>) : {}
  const details = body.details?.map((detail) => detail.message).filter((message) => message !== body.message) ?? []
  const message = [...new Set([body.message ?? text, ...details])].filter((part) => part !== '').join(' ')
  return new ApiError(reply.status, message === '' ? reply.statusText : message, body)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A path from parts, each encoded: `path('api', 'a b')` is `/api/a%20b`. */
export function path(...parts: readonly (string | number)[]): string {
  return parts.map((part) => `/${encodeURIComponent(part)}`).join('')
}

/** A query string with its '?'; what is undefined, empty or an empty list is left out. */
export function queryOf(values: Readonly<Record<string, string | number | readonly string[] | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== '') query.append(name, String(one))
    }
  }
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}
