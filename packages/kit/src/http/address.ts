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
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  return isMapped ? dotted(groups.slice(6)) : plain
}

function dotted(groups: readonly number[]): string {
  return groups.flatMap((group) => [group >> 8, group & 255]).join('.')
}
