import { isIP } from 'node:net'
import { flag, list, type Parser } from '@burgee/kit/parsers'
import proxyAddress from '@fastify/proxy-addr'

/** Whose forwarded addresses are believed: everybody's, nobody's, or those of these addresses and ranges. */
export type Trust = boolean | readonly string[]

/** `true`, `false`, or addresses and CIDR ranges; a word that is neither is an error, and so is a number of hops. */
export const trustList: Parser<Trust> = {
  expects:
    'true, false, or a list of IP addresses (10.0.0.1), ranges (10.0.0.0/8) and the names loopback, linklocal, uniquelocal',
  parse: (value) => {
    if (typeof value === 'boolean') return value
    const word = typeof value === 'string' ? value.trim().toLowerCase() : ''
    if (word === 'true' || word === 'false') return flag.parse(word)
    const addresses = list.parse(value)
    // the library reads "1" as 0.0.0.1, but who writes it does not mean that
    if (!addresses.every(isWritten)) throw new Error('no address')
    proxyAddress.compile([...addresses])
    return addresses
  },
}

const ADDRESS_NAMES = new Set(['loopback', 'linklocal', 'uniquelocal'])

function isWritten(address: string): boolean {
  return ADDRESS_NAMES.has(address) || isIP(address.split('/', 1)[0] ?? '') !== 0
}

/** `type:value` pairs; a value may hold further colons. */
export const tagList: Parser<readonly { readonly type: string; readonly value: string }[]> = {
  expects: 'a list of tagName:tagValue',
  parse: (value) =>
    list.parse(Array.isArray(value) ? value.map(tagText) : value).map((item) => {
      const colon = item.indexOf(':')
      if (colon < 1 || colon === item.length - 1) throw new Error('no tag')
      return { type: item.slice(0, colon).trim(), value: item.slice(colon + 1).trim() }
    }),
}

/** In code a tag may be written `{name, value}`. */
function tagText(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return item
  const { name, type, value } = item as { name?: unknown; type?: unknown; value?: unknown }
  return `${String(type ?? name)}:${String(value)}`
}

/** Paths of files, comma-separated or as a list, or the exported objects themselves, in code. */
export const plugins: Parser<readonly unknown[]> = {
  expects: 'a list of file paths',
  parse: (value) => (Array.isArray(value) ? value : list.parse(value)),
}
