import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/**
 * Returns a weak ETag that consists of the body's length in hex and 27 base64 characters of its SHA-1. SHA-1 is not
 * used for security here.
 */
export function computeWeakEtag(body: string | Buffer): string {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
  return formatEtag(length, hash('sha1', body, 'base64'))
}

/** Returns a weak ETag in the form of `computeWeakEtag`, from a length in bytes and a 20-byte digest in base64. */
export function formatEtag(lengthBytes: number, digest: string): string {
  return `W/"${lengthBytes.toString(16)}-${digest.slice(0, 27)}"`
}

/** Returns true if `If-None-Match` contains the ETag, by weak comparison (RFC 9110 §13.1.2). */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === etag) return true
  if (ifNoneMatch.trim() === '*') return true
  const plain = etag.replace(/^W\//, '')
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === plain)
}

/** Returns true if the reply must be 304: a 200 to GET or HEAD would have an ETag that the client already has. */
export function isNotModified(
  { method, headers }: { readonly method: string; readonly headers: IncomingHttpHeaders },
  status: number,
  etag: string,
): boolean {
  const requested = headers['if-none-match']
  return (
    requested !== undefined && status === 200 && (method === 'GET' || method === 'HEAD') && matchesEtag(requested, etag)
  )
}
