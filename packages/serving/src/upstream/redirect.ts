/**
 * Where a redirect of the upstream may lead: within its origin, or to the same host name over https instead of http, on
 * any port, for the certificate then proves the host. Requests carry the token, which is nobody else's business.
 *
 * @returns undefined for any other place, and for what is no address
 */
export function allowedRedirect(from: string, location: string): URL | undefined {
  const [before, next] = [new URL(from), URL.parse(location, from)]
  if (next === null || `${next.username}${next.password}` !== '') return undefined
  const isUpgrade = before.protocol === 'http:' && next.protocol === 'https:' && before.hostname === next.hostname
  return before.origin === next.origin || isUpgrade ? next : undefined
}

/** The origin that a redirect names, for the log; its path and query may hold what is not meant for it. */
export function originOf(from: string, location: string): string {
  return URL.parse(location, from)?.origin ?? 'no address'
}
