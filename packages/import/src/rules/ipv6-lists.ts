/** The parts of a strategy that decide whom it lists. */
interface Listing {
  readonly name: string
  readonly disabled?: boolean | null | undefined
  readonly parameters?: Readonly<Record<string, unknown>> | undefined
}

/**
 * Returns true if a strategy lists IPv6 addresses of callers. Here, ranges and other spellings of an address match. The
 * Node SDK, and the Unleash server and proxy built on it, only find the caller's address as exact text.
 */
export function listsIpv6Addresses({ name, disabled, parameters }: Listing): boolean {
  return name === 'remoteAddress' && disabled !== true && String(parameters?.IPs ?? '').includes(':')
}
