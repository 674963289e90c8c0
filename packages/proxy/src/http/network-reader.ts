import { addressReader } from '@burgee/kit/http/forwarded'
import { type Network, networkOf } from '@burgee/kit/http/network'
import type { Caller } from '@burgee/kit/http/route'
import type { ProxyOptions } from '../options.ts'

/** Creates a function that returns a caller's network, the unit of quotas. */
export function networkReader({ trustProxy }: Pick<ProxyOptions, 'trustProxy'>): (caller: Caller) => Network {
  const addressOf = addressReader(trustProxy)
  return (caller) => networkOf(addressOf(caller))
}
