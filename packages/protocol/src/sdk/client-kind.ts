/** Kinds of clients: server-side SDKs, SDKs in pages and apps, proxies and edges. */
export const CLIENT_KINDS = ['server', 'frontend', 'proxy', 'edge'] as const
export type ClientKind = (typeof CLIENT_KINDS)[number]

/**
 * Returns the kind of a client. The kind follows from the reported SDK version, such as `burgee-proxy:0.1.0`, and from
 * the use of a public (frontend) token.
 */
export function getClientKind(sdkVersion: string | null, isPublic: boolean): ClientKind {
  const name = sdkVersion?.split(/[:@]/, 1)[0]?.toLowerCase() ?? ''
  if (/(^|-)edge$/.test(name)) return 'edge'
  // only a name that ends in "proxy" belongs to a proxy: names such as unleash-proxy-client belong to SDKs in pages
  if (/(^|-)proxy$/.test(name)) return 'proxy'
  return isPublic ? 'frontend' : 'server'
}
