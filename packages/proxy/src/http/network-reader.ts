import { type Network, toNetwork } from '@burgee/kit/http/client-network'
import { createAddressReader } from '@burgee/kit/http/forwarded'
import type { Caller } from '@burgee/kit/http/route'
import type { ProxyOptions } from '../options.ts'

/** Creates a function that returns the network of a caller. Quotas apply to each network. */
export function createNetworkReader({ trustProxy }: Pick<ProxyOptions, 'trustProxy'>): (caller: Caller) => Network {
  const addressOf = createAddressReader(trustProxy)
  return (caller) => toNetwork(addressOf(caller))
}
