/** The parts of a strategy that decide which addresses it lists. */
interface Listing {
  readonly name: string
  readonly disabled?: boolean | null | undefined
  readonly parameters?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Returns true if a strategy lists IPv6 addresses of callers. Burgee matches ranges and all spellings of an address.
 * The Node SDK, and the Unleash server and proxy built on it, compare the caller's address as literal text, so they
 * match only the same spelling.
 */
export function listsIpv6Addresses({ name, disabled, parameters }: Listing): boolean {
  return name === 'remoteAddress' && disabled !== true && String(parameters?.IPs ?? '').includes(':')
}
