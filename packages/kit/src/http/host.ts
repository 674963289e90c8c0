import type { IncomingMessage } from 'node:http'

/** A registered name or an IPv4 address, or an IP literal, with a port or without. Source: RFC 9110, 7.2; RFC 3986, 3.2.2 */
const HOST = /^(?:(?:[a-z0-9._~!$&'()*+,;=-]|%[0-9a-f]{2})*|\[[a-z0-9:.%_~!$&'()*+,;=-]+\])(?::\d{0,5})?$/i

/** Returns true if a Host header names a host; an empty one is allowed. */
export function isValidHost(host: string): boolean {
  return HOST.test(host)
}

/** Returns true if a request names one host; one of HTTP/1.0 may name none. Source: RFC 9112, 3.2 */
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
