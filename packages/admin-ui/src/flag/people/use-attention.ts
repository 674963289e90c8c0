import { useEffect, useState } from 'react'

/** Idle time in milliseconds after which the user counts as away, even if the page is visible. */
const MAX_IDLE_MS = 600_000
const CHECK_INTERVAL_MS = 30_000
const ACTIVITY_EVENTS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart', 'focus'] as const

/**
 * Returns true if the page is visible and the user was active recently. Background requests are sent only while the
 * result is true, so that they do not extend unused sessions.
 */
export function useAttention(): boolean {
  const [isAttentive, setAttentive] = useState(() => document.visibilityState === 'visible')
  useEffect(() => {
    let lastAt = performance.now()
    const look = () => setAttentive(document.visibilityState === 'visible' && performance.now() - lastAt < MAX_IDLE_MS)
    const touched = () => {
      lastAt = performance.now()
      look()
    }
    const seen = () => (document.visibilityState === 'visible' ? touched() : look())
    const timer = window.setInterval(look, CHECK_INTERVAL_MS)
    const options = { passive: true, capture: true } as const
    for (const sign of ACTIVITY_EVENTS) window.addEventListener(sign, touched, options)
    document.addEventListener('visibilitychange', seen)
    return () => {
      clearInterval(timer)
      for (const sign of ACTIVITY_EVENTS) window.removeEventListener(sign, touched, options)
      document.removeEventListener('visibilitychange', seen)
    }
  }, [])
  return isAttentive
}
