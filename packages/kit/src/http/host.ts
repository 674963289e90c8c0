import type { IncomingMessage } from 'node:http'

/** Registered name, IPv4 address or IP literal, with an optional port. Source: RFC 9110, 7.2; RFC 3986, 3.2.2 */
const HOST = /^(?:(?:[a-z0-9._~!$&'()*+,;=-]|%[0-9a-f]{2})*|\[[a-z0-9:.%_~!$&'()*+,;=-]+\])(?::\d{0,5})?$/i

/** Returns true if a Host header is valid. An empty Host header is allowed. */
export function isValidHost(host: string): boolean {
  return HOST.test(host)
}

/**
 * Returns true if a request has at most one Host header and this header is valid. HTTP/1.1 requires a Host header.
 * Source: RFC 9112, 3.2
 */
export function hasValidHost({ headers, rawHeaders, httpVersion }: IncomingMessage): boolean {
  const { host } = headers
  if (host === undefined) return httpVersion !== '1.1'
  if (!isValidHost(host)) return false
  let count = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count <= 1
}
