import { type Network, toNetwork } from '@burgee/kit/http/client-network'
import { createAddressReader, createHostReader, createTlsReader } from '@burgee/kit/http/forwarded'
import type { Caller } from '@burgee/kit/http/route'
import type { CookieOptions } from '../access/cookies.ts'
import type { ServerOptions } from '../options/options.ts'

/** Facts about a caller that are derived from the connection and from trusted proxies. */
export interface Callers {
  /** Returns the address of the caller, for audit records. For rate limits, use `getNetwork` instead. */
  getAddress(caller: Caller): string
  /** Returns the network of the caller. Used for rate limits, which count requests per network. */
  getNetwork(caller: Caller): Network
  /** Returns the settings for the session cookie of this caller. */
  getCookieOptions(caller: Caller): CookieOptions
  /**
   * Returns the origins of this server's pages, such as 'https://host:port': the configured origin, and the origin
   * through which this caller reached the server.
   */
  listOrigins(caller: Caller): readonly string[]
}

type Options = Pick<ServerOptions, 'trustProxy' | 'secureCookies' | 'baseUriPath' | 'serverUrl'>

/** Creates the functions of `Callers` from the options `trustProxy`, `secureCookies` and `serverUrl`. */
export function createCallers(options: Options): Callers {
  const { trustProxy, serverUrl, baseUriPath: basePath } = options
  const isTls = createTlsReader(trustProxy)
  const hostOf = createHostReader(trustProxy)
  const isSecure = (caller: Caller) => options.secureCookies === true || isTls(caller)
  const configured = serverUrl === undefined ? [] : [new URL(serverUrl).origin]
  const addressOf = createAddressReader(trustProxy)
  return {
    getAddress: addressOf,
    getNetwork: (caller) => toNetwork(addressOf(caller)),
    getCookieOptions: (caller) => ({ basePath, secure: isSecure(caller) }),
    listOrigins(caller) {
      const requested = toOrigin(isSecure(caller) ? 'https' : 'http', hostOf(caller))
      return requested === undefined ? configured : [...new Set([...configured, requested])]
    },
  }
}

/**
 * Converts a Host header to 'http://host:port', leaving out the default port; returns undefined for an invalid host.
 */
export function toOrigin(scheme: 'http' | 'https', host: string | undefined): string | undefined {
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host)) return undefined
  const address = `${scheme}://${host}`
  return URL.canParse(address) ? new URL(address).origin : undefined
}
