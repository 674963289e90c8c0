const SESSION = 'burgee-session'

/**
 * Returns the name of a cookie. Over HTTPS the prefix makes browsers accept it only from this host, over HTTPS. The
 * stronger prefix `__Host-` also requires the path `/`.
 */
function nameOf({ secure, basePath }: CookieOptions, name: string): string {
  if (!secure) return name
  return basePath === '' ? `__Host-${name}` : `__Secure-${name}`
}

/** Returns the session id from a Cookie header, or the value of another cookie of this server. */
export function cookieOf(header: string | undefined, options: CookieOptions, base = SESSION): string | undefined {
  const name = nameOf(options, base)
  for (const pair of (header ?? '').split(';')) {
    const equals = pair.indexOf('=')
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim()
  }
  return undefined
}

/** Options that decide how the cookie is sent. */
export interface CookieOptions {
  /** '' or '/base'. */
  readonly basePath: string
  readonly secure: boolean
}

/**
 * Returns a Set-Cookie header that stores the session id, or the value of another cookie, for `seconds`; 0 removes it.
 */
export function sessionCookie(id: string, seconds: number, options: CookieOptions, name = SESSION): string {
  const { basePath, secure } = options
  const path = basePath === '' ? '/' : basePath
  const parts = [`${nameOf(options, name)}=${id}`, `Path=${path}`, `Max-Age=${seconds}`, 'HttpOnly', 'SameSite=Lax']
  return [...parts, ...(secure ? ['Secure'] : [])].join('; ')
}
