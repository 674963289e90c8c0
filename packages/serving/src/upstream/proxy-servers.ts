import { BlockList, isIP, isIPv4 } from 'node:net'
import { OptionsError } from '@burgee/kit/options/options'

/** Proxy servers that the options configure. */
export interface ProxyServerSettings {
  /** Proxy server for `http://` addresses only. */
  readonly httpProxy?: string | undefined
  /** Proxy server for `https://` addresses only. */
  readonly httpsProxy?: string | undefined
  /** Proxy server for addresses whose scheme has no specific proxy server. */
  readonly allProxy?: string | undefined
  /** Hosts that are contacted directly, separated by commas or spaces. */
  readonly noProxy?: string | undefined
}

/** URL scheme at the start of an option's value, as in `socks5://proxy`. */
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i
const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }
const NAMES = {
  httpProxy: 'HTTP_PROXY (option "httpProxy")',
  httpsProxy: 'HTTPS_PROXY (option "httpsProxy")',
  allProxy: 'ALL_PROXY (option "allProxy")',
} as const

/**
 * Returns a function that chooses the proxy server for an address; the function returns undefined to connect directly.
 * This function throws OptionsError if the chosen proxy server has an invalid address. Unused proxy servers are never
 * parsed, so that an unrelated machine-wide variable cannot stop this process.
 */
export function chooseProxyServer(settings: ProxyServerSettings): (address: URL) => URL | undefined {
  const isDirect = parseNoProxy(settings.noProxy ?? '')
  return (address) => {
    const own = address.protocol === 'https:' ? 'httpsProxy' : 'httpProxy'
    const option = settings[own] === undefined ? 'allProxy' : own
    const value = settings[option]
    return value === undefined || isDirect(address) ? undefined : parseProxyServer(value, NAMES[option])
  }
}

/**
 * Parses the address of a proxy server; an address without a scheme is an HTTP proxy. Errors omit the value, because
 * the value can contain a password.
 */
function parseProxyServer(value: string, option: string): URL {
  const address = SCHEME.test(value) ? value : `http://${value}`
  if (/^https?:\/\/\S+$/i.test(address) && URL.canParse(address)) return new URL(address)
  throw new OptionsError([`${option} must be host:port or an http(s) URL of a proxy server`])
}

/** Entry of NO_PROXY: a host matcher, and optionally a port. */
interface DirectEntry {
  readonly port: string | undefined
  readonly covers: (host: string) => boolean
}

/**
 * Returns a predicate that tests whether NO_PROXY covers an address. Each entry of NO_PROXY is `*`, a host, an IP
 * address or an IP range (`10.0.0.0/8`), with or without a port. A host also covers its subdomains, whether or not it
 * starts with a dot or `*.`. Entries in any other form are ignored.
 */
function parseNoProxy(list: string): (address: URL) => boolean {
  const entries = list.split(/[\s,]+/).filter((entry) => entry !== '')
  if (entries.includes('*')) return () => true
  const parsed = entries.map(parseEntry)
  return ({ protocol, hostname, port }) => {
    const host = normalizeHost(hostname)
    const requested = port === '' ? DEFAULT_PORTS[protocol] : port
    return parsed.some((entry) => (entry.port === undefined || entry.port === requested) && entry.covers(host))
  }
}

/** Splits an entry into host and port; an IPv6 address with a port is in brackets. */
const ENTRY = /^(?:\[([^\]]+)\](\/\d+)?|([^:]+|.*:.*:.*?))(?::(\d+))?$/

function parseEntry(entry: string): DirectEntry {
  if (isIP(entry) !== 0 || isRange(entry)) return { port: undefined, covers: matchHost(entry) }
  const match = ENTRY.exec(entry)
  const host = match?.[1] === undefined ? match?.[3] : `${match[1]}${match[2] ?? ''}`
  return { port: match?.[4], covers: host === undefined ? () => false : matchHost(host) }
}

function isRange(entry: string): boolean {
  const [address = '', prefix = '', more] = entry.split('/')
  const bits = isIPv4(address) ? 32 : 128
  return more === undefined && isIP(address) !== 0 && /^\d+$/.test(prefix) && Number(prefix) <= bits
}

function matchHost(entry: string): (host: string) => boolean {
  if (isIP(entry) !== 0 || isRange(entry)) return matchRange(entry)
  const name = normalizeHost(entry.replace(/^\*?\./, ''))
  return (host) => host === name || (name !== '' && host.endsWith(`.${name}`))
}

function matchRange(entry: string): (host: string) => boolean {
  const [address = '', prefix] = entry.split('/')
  const range = new BlockList()
  range.addSubnet(address, Number(prefix ?? (isIPv4(address) ? 32 : 128)), isIPv4(address) ? 'ipv4' : 'ipv6')
  return (host) => isIP(host) !== 0 && range.check(host, isIPv4(host) ? 'ipv4' : 'ipv6')
}

/** Returns the host in lower case, without brackets or a trailing dot. */
function normalizeHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
}
