import proxyAddress from '@fastify/proxy-addr'
import type { TrustedProxies } from '../options/trusted-proxies.ts'
import { parseHopAddress } from './forwarded-hop.ts'
import type { Caller } from './route.ts'

/**
 * Returns a function that determines a caller's address: the address of the socket or, behind trusted proxies, the
 * forwarded address.
 *
 * @param isStandardFirst true to prefer `Forwarded` (RFC 7239) to `X-Forwarded-For`; false to ignore `Forwarded`
 */
export function createAddressReader(trust: TrustedProxies, isStandardFirst = false): (caller: Caller) => string {
  if (trust === false) return (caller) => caller.remoteAddress
  const isTrusted = compileTrust(trust)
  return (caller) => {
    const { forwarded, 'x-forwarded-for': listed } = caller.headers
    const named =
      isStandardFirst && forwarded !== undefined ? parseForwardedFor(forwarded) : String(listed ?? '').split(',')
    const hops = [caller.remoteAddress, ...named.reverse().map(parseHopAddress)].filter((hop) => hop !== '')
    const own = hops.findIndex((hop, index) => !isTrustedHop(isTrusted, hop, index))
    return hops[own < 0 ? hops.length - 1 : own] ?? ''
  }
}

const FOR = /(?:^|;)\s*for\s*=\s*(?:"([^"]*)"|([^";]*))/i

/** Parses the `for` parameter of each hop. A hop without this parameter becomes 'unknown'. */
function parseForwardedFor(header: string): string[] {
  return header.split(',').map((element) => {
    const match = FOR.exec(element)
    return match?.[1] ?? match?.[2] ?? 'unknown'
  })
}

/** Returns a function that determines whether a caller used TLS, according to X-Forwarded-Proto from a trusted peer. */
export function createTlsReader(trust: TrustedProxies): (caller: Caller) => boolean {
  if (trust === false) return () => false
  const isTrusted = compileTrust(trust)
  return ({ remoteAddress, headers }) => {
    const [first = ''] = String(headers['x-forwarded-proto'] ?? '').split(',')
    return first.trim().toLowerCase() === 'https' && isTrustedHop(isTrusted, remoteAddress, 0)
  }
}

/** Returns a function that determines the requested host: X-Forwarded-Host from a trusted peer, otherwise `Host`. */
export function createHostReader(trust: TrustedProxies): (caller: Caller) => string | undefined {
  if (trust === false) return ({ headers }) => headers.host
  const isTrusted = compileTrust(trust)
  return ({ remoteAddress, headers }) => {
    const [first = ''] = String(headers['x-forwarded-host'] ?? '').split(',')
    const host = first.trim()
    return host !== '' && isTrustedHop(isTrusted, remoteAddress, 0) ? host : headers.host
  }
}

function compileTrust(trust: Exclude<TrustedProxies, false>): (address: string, index: number) => boolean {
  return trust === true ? () => true : proxyAddress.compile([...trust])
}

/**
 * Returns true if a hop is the address of a trusted proxy. A hop that is not an address ends the chain, because the
 * hops before it cannot be trusted.
 */
function isTrustedHop(isTrusted: (address: string, index: number) => boolean, hop: string, index: number): boolean {
  try {
    return isTrusted(hop, index)
  } catch {
    return false
  }
}
