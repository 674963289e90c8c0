/** A caller may use at most this many times as much as is free, so at most nine tenths of the whole. */
const SHARE_FACTOR = 9

/**
 * Returns true if a caller, such as a token or a network, may use an amount while another amount is free. There is
 * always room for other callers.
 */
export function isWithinShare(own: number, free: number): boolean {
  return own <= SHARE_FACTOR * free
}
