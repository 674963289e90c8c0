/**
 * Returns the origin that a secret for an address is sent to. Empty without an address, and the trimmed text if it is
 * not a URL.
 */
export function originOf(address = ''): string {
  return URL.canParse(address) ? new URL(address).origin : address.trim()
}
