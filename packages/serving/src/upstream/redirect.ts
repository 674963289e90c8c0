/**
 * Returns the target of a redirect if it is allowed. The target must have the same origin, or the same host with https
 * in place of http. When the scheme changes to https, any port is allowed, because the certificate proves the identity
 * of the host. Only such targets are allowed, because requests carry the token, which must not reach any other server.
 *
 * @returns undefined if the target is forbidden or not a valid address
 */
export function findAllowedRedirect(from: string, location: string): URL | undefined {
  const [before, next] = [new URL(from), URL.parse(location, from)]
  if (next === null || `${next.username}${next.password}` !== '') return undefined
  const isUpgrade = before.protocol === 'http:' && next.protocol === 'https:' && before.hostname === next.hostname
  return before.origin === next.origin || isUpgrade ? next : undefined
}

/**
 * Returns the origin of a redirect target, for use in the log. The path and query of the target are omitted, because
 * they may contain secrets.
 */
export function getRedirectOrigin(from: string, location: string): string {
  return URL.parse(location, from)?.origin ?? 'no address'
}
