const MOST_IPV4 = 32
const MOST_IPV6 = 128

/** Whether a text is an address or a range of addresses, such as `10.0.0.0/8` or `2001:db8::/32`. */
export function isNetwork(text: string): boolean {
  const [address = '', length, ...more] = text.split('/')
  if (more.length > 0 || (length !== undefined && !/^\d{1,3}$/.test(length))) return false
  const bits = length === undefined ? 0 : Number(length)
  if (address.includes(':')) return isIpv6(address) && bits <= MOST_IPV6
  return isIpv4(address) && bits <= MOST_IPV4
}

function isIpv4(address: string): boolean {
  const parts = address.split('.')
  return parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255)
}

/** As browsers read addresses in URLs. */
function isIpv6(address: string): boolean {
  return !address.includes('%') && URL.canParse(`http://[${address}]/`)
}
