/** Converts an IPv4-mapped IPv6 address (`::ffff:192.0.2.1`), as dual-stack sockets report it, to plain IPv4. */
export function toPlainAddress(address: string): string {
  if (!address.startsWith('::')) return address
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(address) ? address.slice('::ffff:'.length) : address
}

/**
 * Returns the dotted IPv4 address if the eight groups of an IPv6 address are IPv4-mapped (`::ffff:0:0/96`, RFC 4291).
 */
export function findMappedIpv4(groups: readonly number[]): string | undefined {
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (!isMapped) return undefined
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.')
}
