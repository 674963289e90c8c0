import proxyAddress from '@fastify/proxy-addr'
import type { Trust } from '../options/trust.ts'
import { hopAddress } from './address.ts'
import type { Caller } from './route.ts'

/**
 * Reads a caller's address: the socket's, or the forwarded one as far as the hops before it are trusted.
 *
 * @param isStandardFirst whether `Forwarded` (RFC 7239) is looked at before `X-Forwarded-For`, rather than never
 */
export function addressReader(trust: Trust, isStandardFirst = false): (caller: Caller) => string {
  if (trust === false) return (caller) => caller.remoteAddress
  const isTrusted = trustOf(trust)
  return (caller) => {
    const { forwarded, 'x-forwarded-for': listed } = caller.headers
    const named = isStandardFirst && forwarded !== undefined ? addressesOf(forwarded) : String(listed ?? '').split(',')
    const hops = [caller.remoteAddress, ...named.reverse().map(hopAddress)].filter((hop) => hop !== '')
    const own = hops.findIndex((hop, index) => !trusts(isTrusted, hop, index))
    return hops[own < 0 ? hops.length - 1 : own] ?? ''
  }
}

const FOR = /(?:^|;)\s*for\s*=\s*(?:"([^"]*)"|([^";]*))/i

/** Reads `for` of each hop; an element without it is a hop that is not known. */
function addressesOf(header: string): string[] {
  return header.split(',').map((element) => {
    const match = FOR.exec(element)
    return match?.[1] ?? match?.[2] ?? 'unknown'
  })
}

/** Reads whether a caller came over TLS, as far as a trusted hop before this process says so in X-Forwarded-Proto. */
export function tlsReader(trust: Trust): (caller: Caller) => boolean {
  if (trust === false) return () => false
  const isTrusted = trustOf(trust)
  return ({ remoteAddress, headers }) => {
    const [first = ''] = String(headers['x-forwarded-proto'] ?? '').split(',')
    return first.trim().toLowerCase() === 'https' && trusts(isTrusted, remoteAddress, 0)
  }
}

/** Reads the host that a caller asked: `Host`, or as far as a trusted hop before this process says so X-Forwarded-Host. */
export function hostReader(trust: Trust): (caller: Caller) => string | undefined {
  if (trust === false) return ({ headers }) => headers.host
  const isTrusted = trustOf(trust)
  return ({ remoteAddress, headers }) => {
    const [first = ''] = String(headers['x-forwarded-host'] ?? '').split(',')
    const host = first.trim()
    return host !== '' && trusts(isTrusted, remoteAddress, 0) ? host : headers.host
  }
}

function trustOf(trust: Exclude<Trust, false>): (address: string, index: number) => boolean {
  return trust === true ? () => true : proxyAddress.compile([...trust])
}

/** An entry that is no address ends the chain: what stands before it cannot be believed. */
function trusts(isTrusted: (address: string, index: number) => boolean, hop: string, index: number): boolean {
  try {
    return isTrusted(hop, index)
  } catch {
    return false
  }
}
