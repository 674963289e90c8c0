/**
 * Returns the target of a redirect if it is allowed. The target must have the same origin, or the same host with https
 * instead of http. In the second case any port is allowed, because the certificate proves the host. Requests carry the
 * token, which must not reach any other server.
 *
 * @returns undefined if the target is not allowed or not a valid address
 */
export function findAllowedRedirect(from: string, location: string): URL | undefined {
  const [before, next] = [new URL(from), URL.parse(location, from)]
  if (next === null || `${next.username}${next.password}` !== '') return undefined
  const isUpgrade = before.protocol === 'http:' && next.protocol === 'https:' && before.hostname === next.hostname
  return before.origin === next.origin || isUpgrade ? next : undefined
}

/**
 * Returns the origin of a redirect target, for the log. The path and query of the target are omitted, because they can
 * contain secrets.
 */
export function getRedirectOrigin(from: string, location: string): string {
  return URL.parse(location, from)?.origin ?? 'no address'
}
