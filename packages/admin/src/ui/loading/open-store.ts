/** Whether something is open, for those who show it and those who open it. */
export interface OpenStore {
  readonly isOpen: () => boolean
  readonly show: (open: boolean) => void
  /** Calls when it opens or closes; the result ends it. */
  readonly subscribe: (listener: () => void) => () => void
}

/** Something that is closed at first. */
export function createOpenStore(): OpenStore {
  let isOpen = false
  const listeners = new Set<() => void>()
  return {
    isOpen: () => isOpen,
    show: (open) => {
      isOpen = open
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
