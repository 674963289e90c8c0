/** As much of a strategy as says whom it lists. */
interface Listing {
  readonly name: string
  readonly disabled?: boolean | null | undefined
  readonly parameters?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Returns true if a strategy lists IPv6 addresses of callers. Ranges and other spellings of an address match here; the Node
 * SDK, and with it the server and the proxy that are built on it, find the caller's address in the list as text only.
 */
export function listsIpv6Addresses({ name, disabled, parameters }: Listing): boolean {
  return name === 'remoteAddress' && disabled !== true && String(parameters?.IPs ?? '').includes(':')
}
