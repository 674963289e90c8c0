const SESSION = 'burgee-session'

/**
 * Name of the session cookie. Over HTTPS browsers take one of such a name only from this very host, over HTTPS; the
 * stronger prefix `__Host-` demands the path `/` besides.
 */
function nameOf({ secure, basePath }: CookieOptions, name: string): string {
  if (!secure) return name
  return basePath === '' ? `__Host-${name}` : `__Secure-${name}`
}

/** The session id that a Cookie header carries, or the value of another cookie of ours. */
export function cookieOf(header: string | undefined, options: CookieOptions, base = SESSION): string | undefined {
  const name = nameOf(options, base)
  for (const pair of (header ?? '').split(';')) {
    const equals = pair.indexOf('=')
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim()
  }
  return undefined
}

/** What decides how the cookie is sent. */
export interface CookieOptions {
  /** '' or '/base'. */
  readonly basePath: string
  readonly secure: boolean
}

/** A Set-Cookie header that keeps the session id, or the value of another cookie, for `seconds`; 0 removes it. */
export function sessionCookie(id: string, seconds: number, options: CookieOptions, name = SESSION): string {
  const { basePath, secure } = options
  const path = basePath === '' ? '/' : basePath
  const parts = [`${nameOf(options, name)}=${id}`, `Path=${path}`, `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Lax']
  return [...parts, ...(secure ? ['Secure'] : [])].join('; ')
}
