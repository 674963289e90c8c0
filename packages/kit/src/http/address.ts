import { parseIpv6 } from '@burgee/protocol/address'

/** An IPv4 address as a dual-stack socket shows it (`::ffff:192.0.2.1`) is that IPv4 address. */
export function plainAddress(address: string): string {
  if (!address.startsWith('::')) return address
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(address) ? address.slice('::ffff:'.length) : address
}

const QUOTED = /^"(.*)"$/
const BRACKETED = /^\[([^\]]*)\](?::\w+)?$/
const IPV4_WITH_PORT = /^(\d+\.\d+\.\d+\.\d+):\w+$/

/**
 * Returns the address of a hop as proxies write it into `X-Forwarded-For` and `Forwarded`: without blanks, quotes, brackets,
 * port and zone, and IPv4 where IPv6 only maps it. Text that is no address stays as it is. Sources: RFC 7239 section 6, and
 * load balancers that append ports.
 */
export function hopAddress(text: string): string {
  const trimmed = text.trim()
  const node = QUOTED.exec(trimmed)?.[1]?.trim() ?? trimmed
  const address = BRACKETED.exec(node)?.[1] ?? IPV4_WITH_PORT.exec(node)?.[1] ?? node
  if (!address.includes(':') || address.includes('/')) return address
  const groups = parseIpv6(address)?.groups
  if (groups === undefined) return address
  const [plain = ''] = address.split('%', 1)
  return mappedIpv4(groups) ?? plain
}

/** Returns the dotted IPv4 address that the eight groups of an IPv6 address map (`::ffff:0:0/96`, RFC 4291), if they do. */
export function mappedIpv4(groups: readonly number[]): string | undefined {
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (!isMapped) return undefined
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.')
}
