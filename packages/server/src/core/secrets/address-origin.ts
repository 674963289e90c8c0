/**
 * Returns the origin to which a secret is sent if the secret is used with the address. Returns an empty string without
 * an address, and the trimmed text if the address is not a URL.
 */
export function getOrigin(address = ''): string {
  return URL.canParse(address) ? new URL(address).origin : address.trim()
}
