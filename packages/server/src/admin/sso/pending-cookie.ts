import type { Caller } from '@burgee/kit/http/route'
import { type CookieOptions, findCookie, sessionCookie } from '../../core/access/cookies.ts'
import type { PendingLogin } from './oidc-provider.ts'

const NAME = 'burgee-sign-in'
/** Seconds in which a user must complete a sign-in at the provider. */
const SECONDS = 600
const MAX_PATH_LENGTH = 1000
/** 32 random bytes, or a SHA-256 digest. */
const TOKEN = /^[\w-]{43}$/

/** Returns a Set-Cookie header that ties a started sign-in to this browser. */
export function pendingCookie(pending: PendingLogin, options: CookieOptions): string {
  const { state, nonce, verifier, provider, next } = pending
  const text = JSON.stringify([state, nonce, verifier, provider, next])
  return sessionCookie(Buffer.from(text).toString('base64url'), SECONDS, options, NAME)
}

/** Returns a Set-Cookie header that removes the sign-in cookie, so that the sign-in can be completed only once. */
export function expiredPendingCookie(options: CookieOptions): string {
  return sessionCookie('', 0, options, NAME)
}

/** Returns the sign-in that this browser has started; undefined if there is none or it has expired. */
export function findPendingSignIn({ headers }: Caller, options: CookieOptions): PendingLogin | undefined {
  const cookie = findCookie(headers.cookie, options, NAME)
  if (cookie === undefined) return undefined
  try {
    const content = JSON.parse(Buffer.from(cookie, 'base64url').toString('utf8')) as unknown[]
    const [state, nonce, verifier, provider, next] = content
    if (!isToken(state) || !isToken(nonce) || !isToken(verifier) || !isToken(provider)) return undefined
    return { state, nonce, verifier, provider, next: toLocalPath(next) }
  } catch {
    return undefined
  }
}

/**
 * Returns the path to open after a sign-in if it is a safe path, otherwise '/'. A safe path is valid in a header, and
 * browsers cannot mistake it for another host.
 */
export function toLocalPath(next: unknown): string {
  if (typeof next !== 'string' || next.length > MAX_PATH_LENGTH || !/^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next)) return '/'
  const url = URL.parse(next, 'http://here')
  if (url?.origin !== 'http://here') return '/'
  const path = `${url.pathname}${url.search}${url.hash}`
  // once dot segments are resolved, a path can begin with two slashes; once encoded, it can be too long
  return path.startsWith('//') || path.length > MAX_PATH_LENGTH ? '/' : path
}

function isToken(value: unknown): value is string {
  return typeof value === 'string' && TOKEN.test(value)
}
