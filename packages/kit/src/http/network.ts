import { parseIpv6 } from '@burgee/protocol/address'
import { findMappedIpv4 } from './address.ts'

declare const NETWORK: unique symbol

/** Rate-limiting unit of addresses: an IPv4 address or an IPv6 network. Created only by `networkOf`. */
export type Network = string & { readonly [NETWORK]: true }

const NETWORK_GROUPS = 4

/**
 * Returns an IPv4 address (also an IPv4-mapped one) as it is, and the /64 network of an IPv6 address, because a client
 * usually controls a whole /64. Returns text that is not an address unchanged.
 */
export function toNetwork(address: string): Network {
  const groups = address.includes('/') ? undefined : parseIpv6(address)?.groups
  if (groups === undefined) return address as Network
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => group.toString(16))
  return (findMappedIpv4(groups) ?? `${network.join(':')}::/64`) as Network
}
