import { type ComponentType, useEffect, useState } from 'react'

interface Loaded<P> {
  /** Undefined until loaded. */
  readonly Part: ComponentType<P> | undefined
  /** Reason why loading failed. */
  readonly error: unknown
}

/**
 * Loads a part of the page that is not visible yet, as soon as it is wanted. If loading fails, the page continues to
 * work without the part, and the next request for it tries again. `load` must be the same function on every render.
 */
export function usePart<P>(load: () => Promise<ComponentType<P>>, isWanted: boolean): Loaded<P> {
  const [loaded, setLoaded] = useState<Loaded<P>>({ Part: undefined, error: undefined })
  const isMissing = loaded.Part === undefined
  useEffect(() => {
    if (!isWanted || !isMissing) return
    let isGone = false
    const put = (next: Loaded<P>): void => {
      if (!isGone) setLoaded(next)
    }
    put({ Part: undefined, error: undefined })
    load().then(
      (Part) => put({ Part, error: undefined }),
      (error: unknown) => put({ Part: undefined, error }),
    )
    return () => {
      isGone = true
    }
  }, [load, isWanted, isMissing])
  return loaded
}
