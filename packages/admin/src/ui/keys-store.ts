let isOpen = false
const listeners = new Set<() => void>()

/** Opens the list of keys, or closes it. */
export function showKeys(open: boolean): void {
  isOpen = open
  for (const listener of listeners) listener()
}

/** Whether the list of keys is open. */
export const areKeysShown = (): boolean => isOpen

/** Calls when the list opens or closes; the result ends it. */
export function onKeysShown(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
