import type { Caller } from '@burgee/kit/http/route'
import type { Pending } from '../../services/sso/oidc-provider.ts'
import { type CookieOptions, cookieOf, sessionCookie } from '../access/cookies.ts'

const NAME = 'burgee-sign-in'
/** How long somebody may take at the provider. */
const SECONDS = 600
const LONGEST_PATH = 1000
const DICE = /^[\w-]{43}$/

/** A Set-Cookie header that has this browser, and no other one, finish what it has begun. */
export function pendingCookie(pending: Pending, options: CookieOptions): string {
  const text = JSON.stringify([pending.state, pending.nonce, pending.verifier, pending.next])
  return sessionCookie(Buffer.from(text).toString('base64url'), SECONDS, options, NAME)
}

/** A Set-Cookie header that ends it: it can be finished once. */
export function donePending(options: CookieOptions): string {
  return sessionCookie('', 0, options, NAME)
}

/** What this browser has begun; undefined where that is nothing, or too long ago. */
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

/** A path of this server as headers may have it, and nothing that a browser could take for another host; else the start page. */
export function ownPath(next: unknown): string {
  if (typeof next !== 'string' || next.length > LONGEST_PATH || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next)) return '/'
  const url = URL.parse(next, 'http://here')
  if (url?.origin !== 'http://here') return '/'
  const path = `${url.pathname}${url.search}${url.hash}`
  // without its dots a path may begin with two slashes, and encoded it is longer
  return path.startsWith('//') || path.length > LONGEST_PATH ? '/' : path
}

function isDice(value: unknown): value is string {
  return typeof value === 'string' && DICE.test(value)
}
