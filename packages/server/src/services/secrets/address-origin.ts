/**
 * Where a secret goes that is sent to an address: its origin, empty where there is no address, the text where that is
 * none.
 */
export function originOf(address = ''): string {
  return URL.canParse(address) ? new URL(address).origin : address.trim()
}
