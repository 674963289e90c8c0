import { type ComponentType, useEffect, useState } from 'react'

interface Loaded<P> {
  /** Undefined until it has come. */
  readonly Part: ComponentType<P> | undefined
  /** Why it does not come. */
  readonly error: unknown
}

/**
 * A part of the page that has no place of its own: it comes once it is wanted. Where it does not come the page goes on
 * without it, and the next one who wants it tries again. `load` must be the same function each time.
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
