import { addressReader, hostReader, tlsReader } from '@burgee/kit/http/forwarded'
import { type Network, networkOf } from '@burgee/kit/http/network'
import type { Caller } from '@burgee/kit/http/route'
import type { ServerOptions } from '../options.ts'
import type { CookieOptions } from './access/cookies.ts'

/** What is believed of a caller: what the connection says, and what proxies say that are trusted. */
export interface Callers {
  /** For records of who did something; limits count by network. */
  addressOf(caller: Caller): string
  /** What limits count by. */
  networkOf(caller: Caller): Network
  /** How the session cookie is sent to this caller, and where it is looked for. */
  cookieOf(caller: Caller): CookieOptions
  /** Origins of the server's own pages, as 'https://host:port': the configured one, and the one this caller asked. */
  originsOf(caller: Caller): readonly string[]
}

type Options = Pick<ServerOptions, 'trustProxy' | 'secureCookies' | 'baseUriPath' | 'serverUrl'>

/** Reads callers by the options `trustProxy`, `secureCookies` and `serverUrl`. */
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

/** 'http://host:port' for a Host header, without the port that goes without saying; undefined for what is no host. */
export function originOfHost(scheme: 'http' | 'https', host: string | undefined): string | undefined {
  if (host === undefined || !/^[\w.:[\]-]+$/.test(host)) return undefined
  const address = `${scheme}://${host}`
  return URL.canParse(address) ? new URL(address).origin : undefined
}
