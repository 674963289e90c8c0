/**
 * What a reply says besides its own failure: that nobody is logged in any more, or that nobody knows whether a change
 * has been made, as no answer came.
 */
export type Trouble = 'logged-out' | 'outcome-unknown'

const listeners = new Set<(trouble: Trouble) => void>()

/** Tells those who listen. */
export function report(trouble: Trouble): void {
  for (const listener of listeners) listener(trouble)
}

/** Hears of troubles; the result ends it. */
export function onTrouble(listener: (trouble: Trouble) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
