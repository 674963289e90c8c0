import { Refusal, type RefusalReason } from '@burgee/kit/http/refusal'
import { type Caller, Reply } from '@burgee/kit/http/route'
import { getPath } from '@burgee/kit/http/url-parts'
import { InvalidRequest } from '@burgee/kit/input/validation'

type Render = (error: unknown, caller: Caller) => Reply

/** Path of the evaluation endpoints; its parameter is the flag key of a single evaluation. */
const EVALUATION = /^\/+ofrep\/+v1\/+evaluate\/+flags(?:\/+([^?]*))?$/i
const RETRY_AFTER = { 'retry-after': '1' }

/**
 * Renders failures of OFREP endpoints in the format that providers parse. Failures of other endpoints have the app's
 * usual format. Source: OFREP 0.3.0.
 */
export function withOfrepFailures(render: Render, basePath: string): Render {
  return (error, caller) => {
    const path = getPath(caller.url)
    const isBelow = path.toLowerCase().startsWith(basePath.toLowerCase())
    const match = isBelow ? EVALUATION.exec(path.slice(basePath.length)) : null
    if (match === null) return render(error, caller)
    return renderExpectedFailure(error, caller, getFlagKey(caller, match[1])) ?? toOfrepReply(render(error, caller))
  }
}

/** Reasons for rejecting a request that have nothing to do with its evaluation context. */
const TRANSPORT_REASONS = new Set<RefusalReason>(['too-large', 'timeout', 'overloaded'])

/** Renders failures that can occur only at OFREP endpoints. Returns undefined for all other failures. */
function renderExpectedFailure(error: unknown, { method }: Caller, key: string | undefined): Reply | undefined {
  if (error instanceof InvalidRequest)
    return createInvalidReply(key, error.errors[0]?.message ?? 'it does not fit its schema')
  if (!(error instanceof Refusal)) return undefined
  if (TRANSPORT_REASONS.has(error.reason)) return createFailureReply(error.status, error.message)
  if (error.reason === 'syntax') return createParseErrorReply(key, error.message)
  if (error.reason !== 'not-found') return createInvalidReply(key, error.message)
  return method === 'POST' && key !== undefined ? createUnknownFlagReply(key) : undefined
}

function toOfrepReply(reply: Reply): Reply {
  const { status, headers } = reply
  if (status >= 500) return createFailureReply(status, parseDetails(reply), { ...RETRY_AFTER, ...headers })
  return AUTH_STATUSES.has(status) && isPlainText(reply)
    ? createFailureReply(status, parseDetails(reply), headers)
    : reply
}

/** Statuses that require a JSON body instead of plain text, because providers parse the body. */
const AUTH_STATUSES = new Set([401, 403])

function isPlainText({ headers }: Reply): boolean {
  return headers?.['content-type']?.toString().startsWith('text/plain') ?? false
}

/**
 * Returns the 404 for a flag that does not exist or that the caller may not access. Callers cannot tell which of the
 * two applies.
 */
export function createUnknownFlagReply(key: string): Reply {
  return Reply.json(404, { key, errorCode: 'FLAG_NOT_FOUND', errorDetails: `There is no flag ${JSON.stringify(key)}.` })
}

function createInvalidReply(key: string | undefined, why: string): Reply {
  const named = key === undefined ? {} : { key }
  return Reply.json(400, { ...named, errorCode: 'INVALID_CONTEXT', errorDetails: `The body is not valid: ${why}` })
}

function createParseErrorReply(key: string | undefined, why: string): Reply {
  const named = key === undefined ? {} : { key }
  return Reply.json(400, { ...named, errorCode: 'PARSE_ERROR', errorDetails: `The body is not valid JSON: ${why}` })
}

function createFailureReply(status: number, errorDetails: string, headers: Reply['headers'] = {}): Reply {
  const { 'content-type': _type, 'retry-after': wait, ...others } = headers as Readonly<Record<string, string>>
  const again = status === 503 && wait !== undefined ? { 'retry-after': wait } : {}
  return Reply.json(status, { errorDetails }, { ...others, ...again })
}

function parseDetails({ body }: Reply): string {
  if (typeof body !== 'string') return 'The request failed.'
  try {
    const { message, error, explanation } = JSON.parse(body) as Readonly<Record<string, unknown>>
    return String(message ?? error ?? explanation ?? body)
  } catch {
    return body
  }
}

/** Returns the flag key in decoded form if a route matched, otherwise as the client sent it. */
function getFlagKey({ params }: Caller, sent = ''): string | undefined {
  const known = params.key ?? params['*']
  if (known !== undefined) return known
  if (sent === '') return undefined
  try {
    return decodeURIComponent(sent)
  } catch {
    return sent
  }
}
