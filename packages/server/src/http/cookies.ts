/** Name of the session cookie. */
const SESSION = 'burgee-session'

/** The session id that a Cookie header carries. */
export function cookieOf(header: string | undefined): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const equals = pair.indexOf('=')
    if (equals > 0 && pair.slice(0, equals).trim() === SESSION) return pair.slice(equals + 1).trim()
  }
  return undefined
}

/** What decides how the cookie is sent. */
export interface CookieOptions {
  /** '' or '/base'. */
  readonly basePath: string
  readonly secure: boolean
}

/** A Set-Cookie header that keeps the session id for `seconds`; 0 removes it. */
export function sessionCookie(id: string, seconds: number, { basePath, secure }: CookieOptions): string {
  const path = basePath === '' ? '/' : basePath
  const parts = [`${SESSION}=${id}`, `Path=${path}`, `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Lax']
  return [...parts, ...(secure ? ['Secure'] : [])].join('; ')
}
