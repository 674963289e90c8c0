import { parseIpv6 } from '@burgee/protocol/address'
import { mappedIpv4 } from './address.ts'

declare const NETWORK: unique symbol

/** What limits count by address: an IPv4 address or an IPv6 network. Only `networkOf` makes one. */
export type Network = string & { readonly [NETWORK]: true }

const NETWORK_GROUPS = 4

/**
 * Returns an IPv4 address, however it is mapped into IPv6, or the /64 network of an IPv6 address: whoever has one of its
 * addresses has them all. Text that is no address stands for itself.
 */
export function networkOf(address: string): Network {
  const groups = address.includes('/') ? undefined : parseIpv6(address)?.groups
  if (groups === undefined) return address as Network
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => group.toString(16))
  return (mappedIpv4(groups) ?? `${network.join(':')}::/64`) as Network
}
