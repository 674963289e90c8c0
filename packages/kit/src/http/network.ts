import { isIPv4, isIPv6 } from 'node:net'

declare const NETWORK: unique symbol

/** What limits count by address: an IPv4 address or an IPv6 network. Only `networkOf` makes one. */
export type Network = string & { readonly [NETWORK]: true }

const NETWORK_GROUPS = 4
const ALL_GROUPS = 8

/**
 * Returns an IPv4 address, however it is mapped into IPv6, or the /64 network of an IPv6 address: whoever has one of its
 * addresses has them all. Text that is no address stands for itself.
 */
export function networkOf(address: string): Network {
  const [plain = ''] = address.split('%', 1)
  if (!isIPv6(plain)) return address as Network
  const groups = groupsOf(plain)
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (isMapped)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join('.') as Network
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => group.toString(16))
  return `${network.join(':')}::/64` as Network
}

/** The eight numbers of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [left = [], right] = address.split('::').map((part) =>
    part
      .split(':')
      .filter((group) => group !== '')
      .flatMap(numbersOf),
  )
  const missing = right === undefined ? 0 : Math.max(0, ALL_GROUPS - left.length - right.length)
  return [...left, ...Array.from({ length: missing }, () => 0), ...(right ?? [])]
}

/** One group, or the two that an IPv4 address at the end stands for. */
function numbersOf(group: string): number[] {
  if (!isIPv4(group)) return [Number.parseInt(group, 16)]
  const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number)
  return [(a << 8) | b, (c << 8) | d]
}
