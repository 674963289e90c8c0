import { addressReader, hostReader, tlsReader } from '@burgee/kit/http/forwarded'
import { type Network, networkOf } from '@burgee/kit/http/network'
import type { Caller } from '@burgee/kit/http/route'
import type { ServerOptions } from '../options.ts'
import type { CookieOptions } from './access/cookies.ts'

/** Trusted facts about a caller, from the connection and from trusted proxies. */
export interface Callers {
  /** Returns the address for audit records; limits count by network. */
  addressOf(caller: Caller): string
  /** Returns the network, which limits count by. */
  networkOf(caller: Caller): Network
  /** Returns the options with which the session cookie is sent to this caller and read. */
  cookieOf(caller: Caller): CookieOptions
  /**
   * Returns the origins of the server's own pages, as 'https://host:port': the configured one, and the one this caller
   * used.
   */
  originsOf(caller: Caller): readonly string[]
}

type Options = Pick<ServerOptions, 'trustProxy' | 'secureCookies' | 'baseUriPath' | 'serverUrl'>

/** Creates the caller readers from the options `trustProxy`, `secureCookies` and `serverUrl`. */
export function createCallers(options: Options): Callers {
  const { trustProxy, serverUrl, baseUriPath: basePath } = options
  const isTls = tlsReader(trustProxy)
  const hostOf = hostReader(trustProxy)
  const isSecure = (caller: Caller) => options.secureCookies || isTls(caller)
  const configured = serverUrl === undefined ? [] : [new URL(serverUrl).origin]
  const addressOf = addressReader(trustProxy)
  return {
    addressOf,
    networkOf: (caller) => networkOf(addressOf(caller)),
    cookieOf: (caller) => ({ basePath, secure: isSecure(caller) }),
    originsOf(caller) {
      const asked = originOfHost(isSecure(caller) ? 'https' : 'http', hostOf(caller))
      return asked === undefined ? configured : [...new Set([...configured, asked])]
    },
  }
}

/** Returns 'http://host:port' for a Host header, without the default port; undefined for an invalid host. */
export function originOfHost(scheme: 'http' | 'https', host: string | undefined): string | undefined {
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host)) return undefined
  const address = `${scheme}://${host}`
  return URL.canParse(address) ? new URL(address).origin : undefined
}
