import { isIP } from 'node:net'
import proxyAddress from '@fastify/proxy-addr'
import { flag, list, type Parser } from './parsers.ts'

/** Trusted proxies: all (true), none (false), or the listed addresses and ranges. */
export type TrustedProxies = boolean | readonly string[]

/** Parses IP addresses and CIDR ranges; rejects all other values. */
export const addressRanges: Parser<readonly string[]> = {
  expects: 'a list of IP addresses (10.0.0.1), ranges (10.0.0.0/8) and the names loopback, linklocal, uniquelocal',
  parse: (value) => {
    const addresses = list.parse(value)
    // the library would parse "1" as 0.0.0.1, which no user means
    if (!addresses.every(isAddressOrName)) throw new Error('no address')
    proxyAddress.compile([...addresses])
    return addresses
  },
}

/**
 * Returns a function that tests whether an address is within the ranges. For text that is not an address, the function
 * returns false.
 */
export function createRangeMatcher(ranges: readonly string[]): (address: string) => boolean {
  const matches = proxyAddress.compile([...ranges])
  return (address) => isIP(address) !== 0 && matches(address, 0)
}

/**
 * Parses `true`, `false`, or a list of addresses and CIDR ranges; rejects all other values, including a number of hops.
 */
export const trustList: Parser<TrustedProxies> = {
  expects:
    'true for every address (instead of 0.0.0.0/0), false, or a list of IP addresses (10.0.0.1), ranges (10.0.0.0/8) and the names loopback, linklocal, uniquelocal',
  parse: (value) => {
    if (typeof value === 'boolean') return value
    const word = typeof value === 'string' ? value.trim().toLowerCase() : ''
    if (word === 'true' || word === 'false') return flag.parse(word)
    return addressRanges.parse(value)
  },
}

const ADDRESS_NAMES = new Set(['loopback', 'linklocal', 'uniquelocal'])

function isAddressOrName(address: string): boolean {
  return ADDRESS_NAMES.has(address) || isIP(address.split('/', 1)[0] ?? '') !== 0
}
