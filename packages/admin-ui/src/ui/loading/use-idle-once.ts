import { useEffect, useState } from 'react'

const IDLE_TIMEOUT_MS = 2000

/** True once the page has been idle; components that are mounted later then need not wait. */
let hasBeenIdle = false

/** Returns true once the page has been idle, so that deferred work can start. */
export function useIdleOnce(): boolean {
  const [isIdle, setIdle] = useState(hasBeenIdle)
  useEffect(() => {
    const go = (): void => {
      hasBeenIdle = true
      setIdle(true)
    }
    if (typeof requestIdleCallback !== 'function') {
      const timer = setTimeout(go, IDLE_TIMEOUT_MS)
      return () => clearTimeout(timer)
    }
    const request = requestIdleCallback(go, { timeout: IDLE_TIMEOUT_MS })
    return () => cancelIdleCallback(request)
  }, [])
  return isIdle
}
