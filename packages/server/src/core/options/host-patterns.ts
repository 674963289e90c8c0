import { isIP, isIPv6 } from 'node:net'
import { list, type Parser } from '@burgee/kit/options/parsers'

const WILDCARD = '*.'
/** Characters that no host name contains: they belong to other parts of a URL, or are misplaced wildcards. */
const NOT_IN_NAMES = /[\s/?#@:\\%*[\]]/

/**
 * Parses host names, addresses, and `*.name` for all subdomains. Returns them in the form that `normalizeHost`
 * produces. Throws for anything else: an entry with a URL or a port would never match a host.
 */
export const hostPatterns: Parser<readonly string[]> = {
  expects:
    'a comma-separated list of host names, addresses, or `*.` followed by a name, without protocol, port or path',
  parse: (value) => list.parse(value).map(parsePattern),
}

/** Returns true if a host name or address (`URL.hostname`) matches one of the patterns that `hostPatterns` returned. */
export function matchesHost(hostname: string, pattern: string): boolean {
  const host = normalizeHost(hostname)
  if (!pattern.startsWith(WILDCARD)) return host === pattern
  const end = pattern.slice(1)
  return host.length > end.length && host.endsWith(end)
}

/**
 * Returns a host name without brackets and without a final dot. `URL.hostname` is already in lower case and in
 * Punycode.
 */
const normalizeHost = (hostname: string): string => hostname.replace(/^\[|\]$|\.$/g, '')

function parsePattern(text: string): string {
  const isWildcard = text.startsWith(WILDCARD)
  const host = parseHost(isWildcard ? text.slice(WILDCARD.length) : text)
  if (host === undefined || (isWildcard && isIP(host) !== 0)) throw new Error('Not a host')
  return isWildcard ? `${WILDCARD}${host}` : host
}

function parseHost(text: string): string | undefined {
  const address = text.replace(/^\[(.*)\]$/, '$1')
  if (!isIPv6(address) && NOT_IN_NAMES.test(text)) return undefined
  const url = `http://${isIPv6(address) ? `[${address}]` : text}`
  if (!URL.canParse(url)) return undefined
  const host = normalizeHost(new URL(url).hostname)
  return isIP(host) !== 0 || host.split('.').every((label) => label !== '') ? host : undefined
}
