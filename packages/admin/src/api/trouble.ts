/**
 * Failure that concerns the whole page: the session has ended, or the outcome of a change is unknown because no
 * response arrived.
 */
export type Trouble = 'logged-out' | 'outcome-unknown'

const listeners = new Set<(trouble: Trouble) => void>()

/** Notifies all listeners. */
export function report(trouble: Trouble): void {
  for (const listener of listeners) listener(trouble)
}

/** Adds a listener. Returns a function that removes it. */
export function onTrouble(listener: (trouble: Trouble) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
