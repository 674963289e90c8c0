/** Kinds of clients: server-side SDKs, SDKs in web pages and apps, proxies and edges. */
export const CLIENT_KINDS = ['server', 'frontend', 'proxy', 'edge'] as const
export type ClientKind = (typeof CLIENT_KINDS)[number]

/**
 * Returns which kind a client is. The kind is derived from the reported SDK version, such as `burgee-proxy:0.1.0`, and
 * from whether the client uses a public (frontend) token.
 */
export function getClientKind(sdkVersion: string | null, isPublic: boolean): ClientKind {
  const name = sdkVersion?.split(/[:@]/, 1)[0]?.toLowerCase() ?? ''
  if (/(^|-)edge$/.test(name)) return 'edge'
  // only names that end in "proxy" belong to proxies: names such as unleash-proxy-client belong to SDKs in web pages
  if (/(^|-)proxy$/.test(name)) return 'proxy'
  return isPublic ? 'frontend' : 'server'
}
