/**
 * Failure that concerns the whole page: the session has ended, or it is unknown whether a change succeeded because no
 * response arrived.
 */
export type ApiFailure = 'logged-out' | 'outcome-unknown'

const listeners = new Set<(trouble: ApiFailure) => void>()

/** Notifies all listeners. */
export function reportApiFailure(trouble: ApiFailure): void {
  for (const listener of listeners) listener(trouble)
}

/** Adds a listener. Returns a function that removes the listener. */
export function onApiFailure(listener: (trouble: ApiFailure) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
