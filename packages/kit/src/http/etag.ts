import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** Weak entity tag of a body: its length in hex and 27 base64 characters of its SHA-1. Never used for security. */
export function weakEtag(body: string | Buffer): string {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length
  return tagOf(length, hash('sha1', body, 'base64'))
}

/** Weak entity tag in the form of `weakEtag`, of a length in bytes and any 20 bytes in base64 that stand for the body. */
export function tagOf(lengthBytes: number, digest: string): string {
  return `W/"${lengthBytes.toString(16)}-${digest.slice(0, 27)}"`
}

/** Whether `If-None-Match` names the tag, by weak comparison (RFC 9110 §13.1.2). */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch === etag) return true
  if (ifNoneMatch.trim() === '*') return true
  const plain = etag.replace(/^W\//, '')
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === plain)
}

/** Whether a reply is a 304: it would be a 200 to GET or HEAD, and the client names its tag. */
export function isNotModified(
  { method, headers }: { readonly method: string; readonly headers: IncomingHttpHeaders },
  status: number,
  etag: string,
): boolean {
  const asked = headers['if-none-match']
  return asked !== undefined && status === 200 && (method === 'GET' || method === 'HEAD') && matchesEtag(asked, etag)
}
