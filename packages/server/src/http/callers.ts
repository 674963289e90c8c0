import type { Caller } from '@burgee/kit/route'
import { addressReader, tlsReader } from '@burgee/proxy/forwarded'
import type { ServerOptions } from '../options.ts'
import type { CookieOptions } from './cookies.ts'

/** What is believed of a caller: what the connection says, and what proxies say that are trusted. */
export interface Callers {
  addressOf(caller: Caller): string
  /** How the session cookie is sent to this caller, and where it is looked for. */
  cookieOf(caller: Caller): CookieOptions
}

/** Reads callers by the options `trustProxy` and `secureCookies`. */
export function createCallers(options: Pick<ServerOptions, 'trustProxy' | 'secureCookies' | 'baseUriPath'>): Callers {
  const isTls = tlsReader(options.trustProxy)
  return {
    addressOf: addressReader(options.trustProxy),
    cookieOf: (caller) => ({ basePath: options.baseUriPath, secure: options.secureCookies || isTls(caller) }),
  }
}
