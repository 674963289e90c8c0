import { htmlHeaders } from '@burgee/kit/http/html'
import { Refusal } from '@burgee/kit/http/refusal'
import { type Caller, Reply } from '@burgee/kit/http/route'
import { logUnexpectedError } from '@burgee/kit/http/unexpected-error'
import { InvalidRequest } from '@burgee/kit/input/validation'
import type { Logger } from '@burgee/kit/log/logger'
import type { Throttle } from '@burgee/kit/throttle'
import { NotReady, Unauthorized } from '@burgee/serving/access-errors'
import { EnricherError } from '@burgee/serving/evaluation/enrichers'

const TEXT = { 'content-type': 'text/plain; charset=utf-8' }
const HTML = htmlHeaders()
const RETRY_SOON = { ...HTML, 'retry-after': '1' }
const NOT_READY = 'Not ready: the proxy has not yet got its features from the upstream service.'

/**
 * Creates the function that renders errors as replies. These replies have the formats that client SDKs and users of the
 * Unleash proxy expect.
 */
export function createErrorRenderer(logger: Logger, throttle: Throttle): (error: unknown, caller: Caller) => Reply {
  return (error, caller) => {
    if (error instanceof NotReady) return new Reply(503, NOT_READY, RETRY_SOON)
    if (error instanceof Unauthorized) return new Reply(401, 'Unauthorized', TEXT)
    if (error instanceof InvalidRequest) {
      return Reply.json(400, { error: 'Request validation failed', validation: error.errors })
    }
    if (error instanceof Refusal) return renderRefusal(error)
    if (error instanceof EnricherError) return Reply.json(500, { error: `${error.message}.` })
    return Reply.json(500, { error: logUnexpectedError({ logger, throttle }, error, caller) })
  }
}

function renderRefusal(refusal: Refusal): Reply {
  switch (refusal.reason) {
    case 'not-found':
      return new Reply(404, renderErrorPage(refusal.message), HTML)
    case 'media-type':
      return new Reply(415)
    case 'syntax':
      return Reply.json(400, { error: `The body is not valid JSON: ${refusal.message}` })
    default:
      return Reply.json(refusal.status, { error: refusal.message })
  }
}

function renderErrorPage(message: string): string {
  const escaped = message
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
  return `<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8"><title>Error</title></head>\n<body><pre>${escaped}</pre></body>\n</html>\n`
}
