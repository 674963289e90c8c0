import { isDeepStrictEqual } from 'node:util'
import type { Answer, PeerRequest } from './exchange.ts'

/** Difference between two replies: in `status`, `body`, `order` (of the body's properties) or `header <name>`. */
export interface Discrepancy {
  readonly at: string
  readonly peer: string | undefined
  readonly ours: string | undefined
}

/** Test data for a row of the table of differences. */
export interface Situation {
  readonly configuration: string
  readonly request: PeerRequest
  readonly peer: Answer
  readonly ours: Answer
}

/** Headers that depend on the connection or the time, not on the protocol. */
const IGNORED = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'])

/** Returns all differences between two replies to one request, in a fixed order. */
export function compare(peer: Answer, ours: Answer, method: string): Discrepancy[] {
  const found: Discrepancy[] = []
  const check = (at: string, one: string | undefined, other: string | undefined): void => {
    if (one !== other) found.push({ at, peer: one, ours: other })
  }
  check('status', String(peer.status), String(ours.status))
  const names = new Set([...Object.keys(peer.headers), ...Object.keys(ours.headers)])
  for (const name of [...names].sort()) {
    if (!IGNORED.has(name)) check(`header ${name}`, headerOf(peer, name), headerOf(ours, name))
  }
  if (method === 'HEAD' && peer.status === 200) {
    check('header content-length', peer.headers['content-length'], ours.headers['content-length'])
  }
  if (peer.body !== ours.body) {
    const isSameValue = isDeepStrictEqual(parsed(peer.body), parsed(ours.body))
    check(isSameValue ? 'order' : 'body', peer.body, ours.body)
  }
  return found
}

/**
 * Returns a header. Only the format of an ETag is compared, because an ETag is a hash of the body, which is compared
 * separately.
 */
function headerOf({ headers }: Answer, name: string): string | undefined {
  const value = headers[name]
  if (value === undefined) return undefined
  if (name === 'etag') return /^W\/"[0-9a-f]+-[A-Za-z0-9+/]{27}"$/.test(value) ? 'weak' : value
  return value
}

/** Parses a body as JSON, or returns it as a string if it is not JSON. */
export function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}
