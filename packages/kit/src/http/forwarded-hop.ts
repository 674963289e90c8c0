import { parseIpv6 } from '@burgee/protocol/address'
import { findMappedIpv4 } from './mapped-ipv4.ts'

const QUOTED = /^"(.*)"$/
const BRACKETED = /^\[([^\]]*)\](?::\w+)?$/
const IPV4_WITH_PORT = /^(\d+\.\d+\.\d+\.\d+):\w+$/

/**
 * Returns the address of a hop in `X-Forwarded-For` or `Forwarded`. Strips whitespace, quotes, brackets, port and zone,
 * and converts IPv4-mapped IPv6 to IPv4. Text in other forms is returned unchanged. Sources: RFC 7239 section 6, and
 * load balancers that append ports.
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
