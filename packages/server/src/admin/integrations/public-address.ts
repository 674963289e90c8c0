import { isIP } from 'node:net'
import { createRangeMatcher } from '@burgee/kit/options/trusted-proxies'

/**
 * IPv4 and IPv6 ranges outside the public internet: this network, private, shared, loopback, link-local (cloud
 * metadata), documentation, test and protocol ranges, multicast, and IPv6 forms that embed an IPv4 address. Sources:
 * the registries of special-purpose addresses, RFC 6890 and its updates.
 */
const NOT_PUBLIC = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4', '168.63.129.16'],
  ...['::/96', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64', '2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'],
  ...['fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8', '5f00::/16'],
]

const isNotPublic = createRangeMatcher(NOT_PUBLIC)

/**
 * Returns true for an IP address of the public internet; false for other addresses and for text that is not an IP
 * address. An IPv4-mapped address counts as its IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  const plain = address.replace(/%.*$/, '')
  return isIP(plain) !== 0 && !isNotPublic(plain)
}
