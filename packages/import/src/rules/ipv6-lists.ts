/** Parts of a strategy that determine which addresses it lists. */
interface Listing {
  readonly name: string
  readonly disabled?: boolean | null | undefined
  readonly parameters?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Returns true if a strategy lists IPv6 addresses. Burgee matches ranges and all spellings of an address. The Node SDK
 * compares the caller's address as literal text and matches only the same spelling. The Unleash server and proxy use
 * the Node SDK and therefore also match only the same spelling.
 */
export function listsIpv6Addresses({ name, disabled, parameters }: Listing): boolean {
  return name === 'remoteAddress' && disabled !== true && String(parameters?.IPs ?? '').includes(':')
}
