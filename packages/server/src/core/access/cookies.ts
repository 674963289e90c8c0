const SESSION = 'burgee-session'

/**
 * Returns the full name of a cookie. On HTTPS, the name has a prefix that makes browsers accept the cookie only from
 * this host and only over HTTPS. The prefix `__Host-` also requires the path `/`.
 */
function getCookieName({ secure, basePath }: CookieOptions, name: string): string {
  if (!secure) return name
  return basePath === '' ? `__Host-${name}` : `__Secure-${name}`
}

/** Returns the value of one of this server's cookies from a Cookie header; by default the session id. */
export function findCookie(header: string | undefined, options: CookieOptions, base = SESSION): string | undefined {
  const name = getCookieName(options, base)
  for (const pair of (header ?? '').split(';')) {
    const equals = pair.indexOf('=')
    if (equals > 0 && pair.slice(0, equals).trim() === name) return pair.slice(equals + 1).trim()
  }
  return undefined
}

/** Settings for the attributes of a cookie. */
export interface CookieOptions {
  /** Path prefix of the server: '' or '/base'. */
  readonly basePath: string
  readonly secure: boolean
}

/**
 * Returns a Set-Cookie header that stores the session id, or the value of another cookie, for `seconds`. If `seconds`
 * is 0, browsers remove the cookie.
 */
export function sessionCookie(id: string, seconds: number, options: CookieOptions, name = SESSION): string {
  const { basePath, secure } = options
  const path = basePath === '' ? '/' : basePath
  const parts = [
    `${getCookieName(options, name)}=${id}`,
    `Path=${path}`,
    `Max-Age=${seconds}`,
    'HttpOnly',
    'SameSite=Lax',
  ]
  return [...parts, ...(secure ? ['Secure'] : [])].join('; ')
}
