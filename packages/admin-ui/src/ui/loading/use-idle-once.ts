import { useEffect, useState } from 'react'

const IDLE_TIMEOUT_MS = 2000

/** Returns true once the page has been idle, to start deferred work. */
export function useIdleOnce(): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    const go = (): void => setIdle(true)
    if (typeof requestIdleCallback !== 'function') {
      const timer = setTimeout(go, IDLE_TIMEOUT_MS)
      return () => clearTimeout(timer)
    }
    const request = requestIdleCallback(go, { timeout: IDLE_TIMEOUT_MS })
    return () => cancelIdleCallback(request)
  }, [])
  return isIdle
}
