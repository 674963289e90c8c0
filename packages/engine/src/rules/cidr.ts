import type { Address } from '@burgee/protocol/address'

/**
 * Returns true if the network of `address` lies within the range. An IPv4 address never matches an IPv6 range, nor the
 * reverse. Host bits of the range are ignored. Source: client-specification 06, 22.
 */
export function isInRange(address: Address, range: Address): boolean {
  return (
    address.version === range.version && address.prefix >= range.prefix && hasSameBits(address, range, range.prefix)
  )
}

/** Returns true if both are the same address, ignoring prefix lengths. */
export function isSameAddress(a: Address, b: Address): boolean {
  return a.version === b.version && hasSameBits(a, b, a.version === 4 ? 32 : 128)
}

function hasSameBits(a: Address, b: Address, bits: number): boolean {
  for (let i = 0; i * 16 < bits; i++) {
    const ignored = Math.max(0, (i + 1) * 16 - bits)
    if ((a.groups[i] ?? 0) >> ignored !== (b.groups[i] ?? 0) >> ignored) return false
  }
  return true
}
