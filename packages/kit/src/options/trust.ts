import { isIP } from 'node:net'
import proxyAddress from '@fastify/proxy-addr'
import { flag, list, type Parser } from './parsers.ts'

/** Whose forwarded addresses are believed: everybody's, nobody's, or those of these addresses and ranges. */
export type Trust = boolean | readonly string[]

/** IP addresses and CIDR ranges; a word that is neither is an error. */
export const addressRanges: Parser<readonly string[]> = {
  expects: 'a list of IP addresses (10.0.0.1), ranges (10.0.0.0/8) and the names loopback, linklocal, uniquelocal',
  parse: (value) => {
    const addresses = list.parse(value)
    // the library reads "1" as 0.0.0.1, but who writes it does not mean that
    if (!addresses.every(isWritten)) throw new Error('no address')
    proxyAddress.compile([...addresses])
    return addresses
  },
}

/** Says whether an address is one of these, or within one of these ranges; what is no address is in none. */
export function inRanges(ranges: readonly string[]): (address: string) => boolean {
  const matches = proxyAddress.compile([...ranges])
  return (address) => isIP(address) !== 0 && matches(address, 0)
}

/** `true`, `false`, or addresses and CIDR ranges; a word that is neither is an error, and so is a number of hops. */
export const trustList: Parser<Trust> = {
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

function isWritten(address: string): boolean {
  return ADDRESS_NAMES.has(address) || isIP(address.split('/', 1)[0] ?? '') !== 0
}
