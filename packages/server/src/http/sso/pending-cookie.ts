import type { Caller } from '@burgee/kit/http/route'
import type { Pending } from '../../services/sso/oidc-provider.ts'
import { type CookieOptions, cookieOf, sessionCookie } from '../access/cookies.ts'

const NAME = 'burgee-sign-in'
/** Time for a sign-in at the provider. */
const SECONDS = 600
const LONGEST_PATH = 1000
const DICE = /^[\w-]{43}$/

/** Returns a Set-Cookie header that ties a pending sign-in to this browser. */
export function pendingCookie(pending: Pending, options: CookieOptions): string {
  const text = JSON.stringify([pending.state, pending.nonce, pending.verifier, pending.next])
  return sessionCookie(Buffer.from(text).toString('base64url'), SECONDS, options, NAME)
}

/** Returns a Set-Cookie header that ends the pending sign-in: it can be completed once. */
export function donePending(options: CookieOptions): string {
  return sessionCookie('', 0, options, NAME)
}

/** Returns the pending sign-in of this browser; undefined if there is none or it has expired. */
export function pendingOf({ headers }: Caller, options: CookieOptions): Pending | undefined {
  const cookie = cookieOf(headers.cookie, options, NAME)
  if (cookie === undefined) return undefined
  try {
    const [state, nonce, verifier, next] = JSON.parse(Buffer.from(cookie, 'base64url').toString('utf8')) as unknown[]
    if (!isDice(state) || !isDice(nonce) || !isDice(verifier)) return undefined
    return { state, nonce, verifier, next: ownPath(next) }
  } catch {
    return undefined
  }
}

/**
 * Returns a path of this server that is valid in a header and that browsers cannot take for another host; otherwise
 * '/'.
 */
export function ownPath(next: unknown): string {
  if (typeof next !== 'string' || next.length > LONGEST_PATH || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next)) return '/'
  const url = URL.parse(next, 'http://here')
  if (url?.origin !== 'http://here') return '/'
  const path = `${url.pathname}${url.search}${url.hash}`
  // after removing dots, a path may begin with two slashes; encoded, it may be too long
  return path.startsWith('//') || path.length > LONGEST_PATH ? '/' : path
}

function isDice(value: unknown): value is string {
  return typeof value === 'string' && DICE.test(value)
}
