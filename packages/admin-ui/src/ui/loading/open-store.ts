/** Open state of a part of the page, shared by the component that shows the part and the components that open it. */
export interface OpenStore {
  readonly isOpen: () => boolean
  readonly show: (open: boolean) => void
  /** Adds a listener that is called when the part is opened or closed. Returns a function that removes the listener. */
  readonly subscribe: (listener: () => void) => () => void
}

/** Creates a store that is initially closed. */
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
