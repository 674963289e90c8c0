import { type Network, toNetwork } from '@burgee/kit/http/client-network'
import { createAddressReader } from '@burgee/kit/http/forwarded'
import { NO_HEADERS } from '@burgee/kit/http/header-block'
import type { Caller, PreRequestHook } from '@burgee/kit/http/route'
import { getPath } from '@burgee/kit/http/url-parts'
import { createRangeMatcher, type TrustedProxies } from '@burgee/kit/options/trusted-proxies'
import type { ServingOptions } from '../options.ts'
import { AddressRefused } from './errors.ts'

/** Returns the peers from which forwarded addresses are trusted. */
export function getTrust({
  trustProxy,
  proxyTrustedServers,
}: Pick<ServingOptions, 'trustProxy' | 'proxyTrustedServers'>): TrustedProxies {
  return trustProxy === true && proxyTrustedServers !== undefined ? proxyTrustedServers : trustProxy
}

/** Creates a function that returns the network of a caller. Rate limits count the requests of each network. */
export function networkReader(
  options: Pick<ServingOptions, 'trustProxy' | 'proxyTrustedServers'>,
): (caller: Caller) => Network {
  const addressOf = createAddressReader(getTrust(options), true)
  return (caller) => toNetwork(addressOf(caller))
}

/**
 * Creates the pre-request check, which throws AddressRefused for callers that are not allowed. Probe paths are exempt,
 * because the addresses of the orchestrators that call them are rarely on an address list.
 *
 * @param probes paths in lower case
 */
export function addressRules(options: ServingOptions, probes: readonly string[]): PreRequestHook {
  const { allowList, denyList } = options
  if (allowList === undefined && denyList === undefined) return () => NO_HEADERS
  const addressOf = createAddressReader(getTrust(options), true)
  const isAllowed = allowList === undefined ? () => true : createRangeMatcher(allowList)
  const isDenied = denyList === undefined ? () => false : createRangeMatcher(denyList)
  return (caller: Caller) => {
    const path = getPath(caller.url).toLowerCase()
    const address = addressOf(caller)
    if ((!isAllowed(address) || isDenied(address)) && !probes.includes(path)) throw new AddressRefused()
    return NO_HEADERS
  }
}
