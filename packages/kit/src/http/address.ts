import { parseIpv6 } from '@burgee/protocol/address'

/** Converts an IPv4-mapped IPv6 address (`::ffff:192.0.2.1`), as dual-stack sockets report it, to plain IPv4. */
export function toPlainAddress(address: string): string {
  if (!address.startsWith('::')) return address
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(address) ? address.slice('::ffff:'.length) : address
}

const QUOTED = /^"(.*)"$/
const BRACKETED = /^\[([^\]]*)\](?::\w+)?$/
const IPV4_WITH_PORT = /^(\d+\.\d+\.\d+\.\d+):\w+$/

/**
 * Returns the address in a hop of `X-Forwarded-For` or `Forwarded`. Strips whitespace, quotes, brackets, port and zone,
 * and converts IPv4-mapped IPv6 to IPv4. Returns other text unchanged. Sources: RFC 7239 section 6, and load balancers
 * that append ports.
 */
export function parseHopAddress(text: string): string {
  const trimmed = text.trim()
  const node = QUOTED.exec(trimmed)?.[1]?.trim() ?? trimmed
  const address = BRACKETED.exec(node)?.[1] ?? IPV4_WITH_PORT.exec(node)?.[1] ?? node
  if (!address.includes(':') || address.includes('/')) return address
  const groups = parseIpv6(address)?.groups
  if (groups === undefined) return address
  const [plain = ''] = address.split('%', 1)
  return findMappedIpv4(groups) ?? plain
}

/** Returns the dotted IPv4 address if the eight groups are an IPv4-mapped IPv6 address (`::ffff:0:0/96`, RFC 4291). */
export function findMappedIpv4(groups: readonly number[]): string | undefined {
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (!isMapped) return undefined
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.')
}
