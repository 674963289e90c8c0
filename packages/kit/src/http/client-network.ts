import { parseIpv6 } from '@burgee/protocol/address'
import { findMappedIpv4 } from './mapped-ipv4.ts'

declare const NETWORK: unique symbol

/** Unit of rate limiting: an IPv4 address or an IPv6 network. Only `toNetwork` creates values of this type. */
export type Network = string & { readonly [NETWORK]: true }

const NETWORK_GROUPS = 4

/**
 * Returns the network of an address. An IPv4 address, including an IPv4-mapped address, is returned as IPv4. An IPv6
 * address becomes its /64 network, because a client usually controls a whole /64. Text that is not an address is
 * returned unchanged.
 */
export function toNetwork(address: string): Network {
  const groups = address.includes('/') ? undefined : parseIpv6(address)?.groups
  if (groups === undefined) return address as Network
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => group.toString(16))
  return (findMappedIpv4(groups) ?? `${network.join(':')}::/64`) as Network
}
