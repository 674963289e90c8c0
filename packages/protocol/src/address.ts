/** IP address with a prefix length, such as "10.0.0.0/8" or "::1". */
export interface Address {
  readonly version: 4 | 6
  /** Address as 16-bit groups, highest first: two groups for IPv4, eight for IPv6. */
  readonly groups: readonly number[]
  /**
   * Number of leading bits that identify the network: 0..32 or 0..128. If the text has no prefix length, the maximum.
   */
  readonly prefix: number
}

const OCTET = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const IPV4 = new RegExp(`^${OCTET}\\.${OCTET}\\.${OCTET}\\.${OCTET}$`)
const CIDR_V4 = /^([^/]*)(?:\/(\d{1,2}))?$/
const PREFIX_V6 = /\/(\d{1,3})(?=%|$)/
const GROUP = /^[0-9a-f]{1,4}$/i
const MAX_LENGTH_V6 = 45

/**
 * Parses "a.b.c.d" or "a.b.c.d/prefix": decimal octets without leading zeros, prefix 0..32.
 *
 * @returns Returns undefined for any other text. Never throws. Source: client-specification 06, 22.
 */
export function parseIpv4(text: string): Address | undefined {
  const [, address = '', digits] = CIDR_V4.exec(text) ?? []
  const groups = parseIpv4Groups(address)
  const prefix = digits === undefined ? 32 : Number(digits)
  return groups && prefix <= 32 ? { version: 4, groups, prefix } : undefined
}

/**
 * Parses an IPv6 address, with or without "/prefix" (0..128). Accepts any case, "::" and a last part in dotted form.
 * Ignores a zone ("%eth0") before or after the prefix.
 *
 * @returns Returns undefined for any other text. Never throws. Source: client-specification 22.
 */
export function parseIpv6(text: string): Address | undefined {
  // most addresses are IPv4
  if (!text.includes(':')) return undefined
  const found = PREFIX_V6.exec(text)
  const prefix = found ? Number(found[1]) : 128
  const address = text.replace(PREFIX_V6, '')
  if (prefix > 128 || address.includes('/')) return undefined
  const groups = parseIpv6Groups(address.replace(/%.*$/, ''))
  return groups ? { version: 6, groups, prefix } : undefined
}

/**
 * Parses an IPv4 or IPv6 address. Returns undefined for all other text. An IPv4-mapped address such as
 * "::ffff:10.0.0.1" is returned as IPv6.
 */
export function parseAddress(text: string): Address | undefined {
  return parseIpv4(text) ?? parseIpv6(text)
}

function parseIpv4Groups(text: string): number[] | undefined {
  const octets = IPV4.exec(text)?.slice(1).map(Number)
  if (!octets) return undefined
  const [a = 0, b = 0, c = 0, d = 0] = octets
  return [a * 256 + b, c * 256 + d]
}

function parseIpv6Groups(text: string): number[] | undefined {
  if (text.length > MAX_LENGTH_V6) return undefined
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const head = parseGroups(halves[0] ?? '', halves.length === 1)
  const tail = halves.length === 2 ? parseGroups(halves[1] ?? '', true) : []
  if (!head || !tail) return undefined
  const missing = 8 - head.length - tail.length
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined
  return [...head, ...new Array<number>(missing).fill(0), ...tail]
}

/** Parses the groups between the colons of an address. Only the last part of an address may be in dotted form. */
function parseGroups(text: string, isEnd: boolean): number[] | undefined {
  if (text === '') return []
  const groups: number[] = []
  const parts = text.split(':')
  for (const [i, part] of parts.entries()) {
    const dotted = isEnd && i === parts.length - 1 ? parseIpv4Groups(part) : undefined
    if (dotted) groups.push(...dotted)
    else if (GROUP.test(part)) groups.push(Number.parseInt(part, 16))
    else return undefined
  }
  return groups
}
