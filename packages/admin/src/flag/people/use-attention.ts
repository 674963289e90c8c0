import { useEffect, useState } from 'react'

/** Whoever has touched nothing for so long has gone away, though the page is still in sight. */
const AWAY_AFTER_MS = 600_000
const LOOKED_AT_EVERY_MS = 30_000
const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart', 'focus'] as const

/**
 * Whether somebody looks at the page: it is in sight, and they touched something not long ago. What goes on only while they
 * do keeps no session from ending that nobody uses.
 */
export function useAttention(): boolean {
  const [isAttentive, setAttentive] = useState(() => document.visibilityState === 'visible')
  useEffect(() => {
    let lastAt = performance.now()
    const look = () =>
      setAttentive(document.visibilityState === 'visible' && performance.now() - lastAt < AWAY_AFTER_MS)
    const touched = () => {
      lastAt = performance.now()
      look()
    }
    const seen = () => (document.visibilityState === 'visible' ? touched() : look())
    const timer = window.setInterval(look, LOOKED_AT_EVERY_MS)
    const options = { passive: true, capture: true } as const
    for (const sign of SIGNS) window.addEventListener(sign, touched, options)
    document.addEventListener('visibilitychange', seen)
    return () => {
      clearInterval(timer)
      for (const sign of SIGNS) window.removeEventListener(sign, touched, options)
      document.removeEventListener('visibilitychange', seen)
    }
  }, [])
  return isAttentive
}
