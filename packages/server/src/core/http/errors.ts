import { Refusal } from '@burgee/kit/http/refusal'
import { type Caller, Reply } from '@burgee/kit/http/route'
import { getPath } from '@burgee/kit/http/url-parts'
import { InvalidRequest, type SchemaError } from '@burgee/kit/input/validation'
import { Throttle } from '@burgee/kit/throttle'
import { Problem, type ProblemDetail } from '@burgee/protocol/problem'
import { FrontendsUnavailable } from '@burgee/serving/sdk/frontends'
import { classifyDbError, DatabaseGone, explainDbError, formatDbError } from '@burgee/storage/errors'
import { loginRequired } from '../access/login-required.ts'
import type { World } from '../world.ts'
import { tooManyReply } from './rate-limit-replies.ts'

/** Message for callers if the data directory has been removed. Only the log contains the path of the data directory. */
export const DATA_DIRECTORY_GONE =
  'The data directory of the server was removed or replaced; nothing can be written until the server is restarted.'

const UNAVAILABLE = 'The database is temporarily unavailable'
const NO_FLAGS = 'The flags of this token are temporarily unavailable'
const RETRY_AFTER_SECONDS = '5'

/**
 * Creates the function that converts an error to a reply. An unexpected error becomes a 500 without details, and is
 * logged.
 */
export function errorRenderer(
  { logger, monotonic }: Pick<World, 'logger' | 'monotonic'>,
  basePath: string,
): (error: unknown, caller: Caller) => Reply {
  const throttle = new Throttle(monotonic)
  return (error, caller) => {
    if (error instanceof Problem) return problemReply(error, caller, basePath)
    if (error instanceof InvalidRequest) return problemReply(toValidationProblem(error), caller, basePath)
    if (error instanceof Refusal) return refusalReply(error, caller, basePath)
    const kind = classifyDbError(error)
    if (kind === 'unstorable') return problemReply(createUnstorableProblem(), caller, basePath)
    const id = crypto.randomUUID()
    // the beginning of the outage has already been logged
    if (error instanceof DatabaseGone) return createUnavailableReply(id, DATA_DIRECTORY_GONE)
    if (kind === 'unavailable' || kind === 'denied') {
      const more = throttle.pass('database')
      if (more !== undefined) logger.error(`${UNAVAILABLE}${more}: ${formatDbError(error)}`)
      return createUnavailableReply(id, `${UNAVAILABLE}: ${explainDbError(error) ?? 'it is away, busy or full'}`)
    }
    if (error instanceof FrontendsUnavailable) return createUnavailableReply(id, NO_FLAGS)
    logger.error(`${caller.method} ${withoutToken(getPath(caller.url))} failed (${id})`, error)
    const message = `Something went wrong. For details, search the server log for the id ${id}.`
    return Reply.json(500, { id, name: 'UnknownError', message })
  }
}

/** Creates the 503 reply of the admin API. SDK requests never get it, because they are answered from memory. */
function createUnavailableReply(id: string, message: string): Reply {
  return Reply.json(503, { id, name: 'ServiceUnavailable', message }, { 'retry-after': RETRY_AFTER_SECONDS })
}

/**
 * Creates the reply for a Problem. For SDKs, 401 and 403 replies contain only a message. Source: wire protocol "Error
 * bodies".
 */
function problemReply(problem: Problem, caller: Caller, basePath: string): Reply {
  if (problem.name === 'RateLimitError') return tooManyReply(problem)
  const { status } = problem
  const isForSdks = /^\/+(api\/+(client|frontend|proxy)|ofrep)\b/i.test(getPath(caller.url).slice(basePath.length))
  if (isForSdks && (status === 401 || status === 403))
    return Reply.json(status, { message: problem.message }, problem.headers)
  const rendered = problem.toJSON()
  const details = { details: rendered.details ?? [{ message: rendered.message }] }
  return Reply.json(status, { ...rendered, ...details }, problem.headers)
}

/** Creates the reply for an error that is not a Problem. */
function plainReply(status: number, name: string, message: string): Reply {
  return Reply.json(status, { id: crypto.randomUUID(), name, message: `${message}.` })
}

function refusalReply(refusal: Refusal, caller: Caller, basePath: string): Reply {
  const path = getPath(caller.url)
  switch (refusal.reason) {
    case 'syntax':
      return problemReply(new Problem('ValidationError', refusal.message), caller, basePath)
    case 'too-large':
      return problemReply(new Problem('PayloadTooLargeError', 'request entity too large'), caller, basePath)
    case 'media-type':
      return problemReply(createMediaTypeProblem(caller), caller, basePath)
    case 'encoding':
      return problemReply(new Problem('ContentTypeerror', `${refusal.message}.`), caller, basePath)
    case 'timeout':
      return plainReply(refusal.status, 'RequestTimeout', refusal.message)
    case 'overloaded':
      return plainReply(refusal.status, 'ServiceUnavailable', refusal.message)
    case 'not-found': {
      const isApi = path.toLowerCase().startsWith(`${basePath.toLowerCase()}/api/`)
      if (isApi && caller.method === 'OPTIONS') return problemReply(loginRequired(caller, basePath), caller, basePath)
      return problemReply(createPathNotFound(path), caller, basePath)
    }
    default:
      return problemReply(new Problem('ValidationError', 'The request is malformed.'), caller, basePath)
  }
}

/** Creates the 404 reply for a path without a route. */
export function createPathNotFound(path: string): Problem {
  return new Problem('NotFoundError', `The path you were looking for (${path}) is not available.`)
}

function createMediaTypeProblem(caller: Caller): Problem {
  const sent = caller.headers['content-type']
  const what = sent === undefined ? '(none was given)' : `(${sent})`
  return new Problem('ContentTypeerror', `The content type ${what} is not accepted here; send application/json.`)
}

function createUnstorableProblem(): Problem {
  return new Problem(
    'ValidationError',
    'A value of the request cannot be stored: it is too long, too large, or contains a NUL character or an unpaired surrogate.',
  )
}

const MAX_DETAILS = 50

/** Returns one detail for each of the first violations of a schema. Each names the invalid property. */
export function listInvalidDetails({ errors }: InvalidRequest, max: number): ProblemDetail[] {
  // a `boolean` error would only repeat the error about extra properties
  const shown = errors.filter(({ keyword }) => keyword !== 'boolean')
  return shown.slice(0, max).map(toDetail)
}

/**
 * Creates a Problem with one detail for each violation of the schema. The message of the Problem names the first
 * invalid property. Source: wire protocol
 */
function toValidationProblem(error: InvalidRequest): Problem {
  const details = listInvalidDetails(error, MAX_DETAILS)
  const first = details[0]?.message ?? 'The request does not fit its schema.'
  return new Problem('ValidationError', `Request validation failed: ${first}`, { details })
}

function toDetail(error: SchemaError): ProblemDetail {
  const path = error.instancePath.replace(/^\//, '')
  const property = path.replace(/^[a-z]+\/?/, '')
  const { params } = error
  if (error.keyword === 'required') {
    const [missing] = (params.requiredProperties ?? []) as string[]
    const name = property === '' ? missing : `${property}/${missing}`
    return { message: `The \`${name}\` property is required. It was not present on the data you sent.`, path }
  }
  if (error.keyword === 'additionalProperties') {
    const extra = ((params.additionalProperties ?? []) as string[]).join('`, `')
    const where = property === '' ? 'The root object' : `The \`${property}\` object`
    return { message: `${where} does not allow additional properties. It included \`${extra}\`.`, path }
  }
  if (error.keyword === 'enum') {
    const allowed = ((params.allowedValues ?? []) as unknown[]).map((value) => JSON.stringify(value)).join(', ')
    return { message: `The \`${property}\` property ${error.message}: ${allowed}.`, path }
  }
  const what = property === '' ? 'The root of the body' : `The \`${property}\` property`
  return { message: `${what} ${error.message}.`, path }
}

/** Masks tokens in a path before it is logged. */
function withoutToken(path: string): string {
  return path.replace(/(\/(?:api-tokens|invite-link\/tokens|invite)\/).+/i, '$1***')
}
