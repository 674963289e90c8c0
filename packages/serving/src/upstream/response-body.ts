import type { Response } from 'undici'
import { findErrorCode } from './error-reason.ts'

/** Maximum size of a response, both compressed and decoded: enough for several hundred thousand flags. */
export const MAX_RESPONSE_BYTES = 128 * 1024 * 1024

/** Reads a decoded response body up to a size limit, because even a small compressed body can be huge when decoded. */
export async function readBody(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of response.body ?? []) {
      length += chunk.byteLength
      // leaving the loop cancels the download
      if (length > MAX_RESPONSE_BYTES) break
      chunks.push(chunk)
    }
  } catch (cause) {
    throw toRequestError(cause)
  }
  if (length > MAX_RESPONSE_BYTES)
    throw new Error(`The response of the upstream is larger than ${MAX_RESPONSE_BYTES} bytes`)
  return new TextDecoder().decode(Buffer.concat(chunks, length))
}

/** Returns the error to report for a failed request: a timeout, or the error code of the cause. */
export function toRequestError(cause: unknown): Error {
  if (cause instanceof Error && cause.name === 'TimeoutError') {
    return new Error('The upstream took too long', { cause })
  }
  const code = findErrorCode(cause)
  return new Error(`The request to the upstream failed${code === undefined ? '' : `: ${code}`}`, { cause })
}
