import { SourceRefused } from '@burgee/import/model/source'
import { type CallGuard, CallRejected, guardedRequest } from './guarded-request.ts'

/** Size limits for each response and for all responses together. */
export interface ResponseBounds {
  readonly maxBytes: number
  readonly maxTotalBytes: number
}

const MIB = 1024 * 1024
const BOUNDS: ResponseBounds = { maxBytes: 32 * MIB, maxTotalBytes: 128 * MIB }

/**
 * Creates a `fetch` that is restricted to addresses that integrations may reach. The returned function resolves a host
 * once, checks the address, and connects to exactly that address. The function does not follow redirects, accepts 32
 * MiB per response and 128 MiB in total, and aborts when the signal `ending` fires. The returned function throws
 * SourceRefused with a message for users.
 */
export function createGuardedFetch(guard: CallGuard, ending: AbortSignal, bounds = BOUNDS) {
  let ofAll = 0
  return async (url: string, { method = 'GET', headers, body, signal }: RequestInit): Promise<Response> => {
    const signals = [ending, ...(signal instanceof AbortSignal ? [signal] : [])]
    const call = { url, method, headers: Object.fromEntries(new Headers(headers)), body: String(body ?? '') }
    const answer = await guardedRequest(call, guard, AbortSignal.any(signals)).catch((error: unknown) => {
      throw error instanceof CallRejected ? new SourceRefused(error.message) : error
    })
    const pieces: Uint8Array[] = []
    let bytes = 0
    for await (const piece of answer as AsyncIterable<Buffer>) {
      bytes += piece.length
      ofAll += piece.length
      if (bytes > bounds.maxBytes || ofAll > bounds.maxTotalBytes) {
        answer.destroy()
        const [most, what] =
          bytes > bounds.maxBytes ? [bounds.maxBytes, ' at once'] : [bounds.maxTotalBytes, ' in all its answers']
        throw new SourceRefused(`The response is larger than ${most} bytes${what}: use burgee import`)
      }
      pieces.push(piece)
    }
    const retryAfter = answer.headers['retry-after']
    const init = {
      status: toValidStatus(answer.statusCode),
      headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
    }
    return new Response(WITHOUT_BODY.has(init.status) ? null : Buffer.concat(pieces), init)
  }
}

const WITHOUT_BODY = new Set([204, 205, 304])
const BAD_GATEWAY = 502

/** Replaces a status that the Response class does not accept with 502. */
function toValidStatus(status = BAD_GATEWAY): number {
  return status >= 200 && status <= 599 ? status : BAD_GATEWAY
}
