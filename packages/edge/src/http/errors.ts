import { Refusal } from '@burgee/kit/http/refusal'
import { type Caller, Reply } from '@burgee/kit/http/route'
import { logUnexpectedError } from '@burgee/kit/http/unexpected-error'
import { InvalidRequest } from '@burgee/kit/input/validation'
import type { Logger } from '@burgee/kit/log/logger'
import type { Throttle } from '@burgee/kit/throttle'
import { Problem } from '@burgee/protocol/problem'
import { NotReady, Unauthorized } from '@burgee/serving/access-errors'
import { PRIVATE_HEADERS } from '@burgee/serving/cache-rules'
import { FrontendsUnavailable } from '@burgee/serving/sdk/frontends'
import { EnvironmentUnavailable } from '../environments/environments.ts'
import { TokenRefused, TokenUndecided } from '../tokens/token-refusal.ts'

/** Thrown if an address list excludes the caller. */
export class AddressRefused extends Error {}

const UNAVAILABLE = [NotReady, EnvironmentUnavailable, FrontendsUnavailable]
const TEXT = { 'content-type': 'text/plain; charset=utf-8' }
const RETRY_AFTER = { 'retry-after': '5' }
const NO_FLAGS = 'There are no flags for this token yet: the upstream has not sent them.'

/**
 * Creates the function that converts an error into a reply: JSON with an `explanation`, and with `details` for schema
 * violations.
 */
export function errorRenderer(logger: Logger, throttle: Throttle): (error: unknown, caller: Caller) => Reply {
  return (error, caller) => {
    const known = findReply(error)
    if (known !== undefined) return known
    return createErrorReply(500, logUnexpectedError({ logger, throttle }, error, caller))
  }
}

function findReply(error: unknown): Reply | undefined {
  if (error instanceof TokenRefused) return createErrorReply(403, describeTokenRefusal(error))
  if (error instanceof TokenUndecided) return createRetryReply(error)
  if (error instanceof Unauthorized) return new Reply(401, 'Unauthorized', TEXT)
  // no other headers have been added to the reply yet
  if (error instanceof AddressRefused)
    return createErrorReply(403, 'Calls from this address are not allowed.', PRIVATE_HEADERS)
  if (UNAVAILABLE.some((kind) => error instanceof kind)) return createErrorReply(503, NO_FLAGS, RETRY_AFTER)
  if (error instanceof Problem) {
    return Reply.json(error.status, { explanation: error.message, ...toDetails(error.details) }, error.headers)
  }
  if (error instanceof InvalidRequest) {
    const details = error.errors.map(({ instancePath, message }) => ({ path: instancePath, message }))
    return Reply.json(400, { explanation: 'The request does not fit its schema.', details })
  }
  if (error instanceof Refusal) return createErrorReply(error.status, describeRefusal(error))
  return undefined
}

const KINDS = 'backend tokens are for /api/client, frontend tokens for /api/frontend and /api/proxy'

function describeTokenRefusal({ reason, message }: TokenRefused): string {
  return reason === 'kind' ? `${message}: ${KINDS}.` : `${message}.`
}

/**
 * Creates a reply that asks the caller to try again later. The reply does not pass on the upstream's status, because
 * some statuses would make an SDK give up, and others would look like a fault of this node.
 */
function createRetryReply({ status, message }: TokenUndecided): Reply {
  return createErrorReply(status === 429 ? 429 : 503, `${message}; known tokens continue to work.`, RETRY_AFTER)
}

function describeRefusal({ reason, message }: Refusal): string {
  if (reason === 'syntax') return `The body is not valid JSON: ${message}`
  return reason === 'media-type' ? 'The body must be application/json.' : message
}

function toDetails(details: Problem['details']) {
  return details === undefined ? {} : { details }
}

/** Creates an error reply. All error replies have this format. */
function createErrorReply(status: number, explanation: string, headers?: Readonly<Record<string, string>>): Reply {
  return Reply.json(status, { explanation }, headers)
}
