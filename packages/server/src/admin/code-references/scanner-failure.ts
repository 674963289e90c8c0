import { type Caller, Reply } from '@burgee/kit/http/route'
import { getPath } from '@burgee/kit/http/url-parts'
import type { ProblemName } from '@burgee/protocol/problem'
import { SCANNER } from '../../core/http/code-reference-paths.ts'

type Render = (error: unknown, caller: Caller) => Reply

/** Codes of errors in the scanner's protocol, keyed by the name of the error. */
const CODES: Readonly<Partial<Record<ProblemName, string>>> = {
  AuthenticationRequired: 'unauthorized',
  ConflictError: 'updateSequenceId_conflict',
  ContentTypeerror: 'unsupported_media_type',
  MaintenanceModeError: 'service_unavailable',
  NameExistsError: 'conflict',
  NoAccessError: 'forbidden',
  NotFoundError: 'not_found',
  PayloadTooLargeError: 'request_entity_too_large',
  RateLimitError: 'rate_limited',
  ValidationError: 'invalid_request',
}

/**
 * Wraps an error renderer for the code scanner routes: scanners identify an error by its `code`. Source: wire protocol
 * "Code references".
 */
export function withScannerFailures(render: Render, basePath: string): Render {
  const prefix = `${basePath}${SCANNER}/`.toLowerCase()
  return (error, caller) => {
    const reply = render(error, caller)
    if (!getPath(caller.url).toLowerCase().startsWith(prefix) || typeof reply.body !== 'string') return reply
    const body: { readonly name?: string } = JSON.parse(reply.body)
    const code = CODES[body.name as ProblemName]
    return code === undefined
      ? reply
      : new Reply(reply.status, JSON.stringify(Object.assign({ code }, body)), reply.headers)
  }
}
