/**
 * Returns the origin to which a secret would be sent if it were used with the address. Returns an empty string if there
 * is no address, and the trimmed text if the address is not a URL.
 */
export function getOrigin(address = ''): string {
  return URL.canParse(address) ? new URL(address).origin : address.trim()
}
