import type { Address } from '@burgee/protocol/address'

/**
 * True when the network of `address` lies within the range. Versions never mix, host bits of the range do not count.
 * Source: client-specification 06, 22.
 */
export function isInRange(address: Address, range: Address): boolean {
  return address.version === range.version && address.prefix >= range.prefix && sameBits(address, range, range.prefix)
}

/** True when both are the same address, whatever their prefixes. */
export function isSameAddress(a: Address, b: Address): boolean {
  return a.version === b.version && sameBits(a, b, a.version === 4 ? 32 : 128)
}

function sameBits(a: Address, b: Address, bits: number): boolean {
  for (let i = 0; i * 16 < bits; i++) {
    const ignored = Math.max(0, (i + 1) * 16 - bits)
    if ((a.groups[i] ?? 0) >> ignored !== (b.groups[i] ?? 0) >> ignored) return false
  }
  return true
}
