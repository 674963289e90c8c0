import { PRESENCE_TOLD_EVERY_MS } from '@burgee/protocol/user'
import { useEffect, useRef } from 'react'
import type { FlagRef } from '../../api/flags.ts'
import { leavePresence, tellPresence } from '../../api/live/presence.ts'

/** Lets others know that the person looks at a flag, as long as they do. */
export function usePresence({ project, feature }: FlagRef, isAttentive: boolean): void {
  const left = useRef<Promise<void>>(undefined)
  useEffect(() => {
    if (!isAttentive) return
    const ref = { project, feature }
    // whoever comes back at once must not be taken away by what they said before
    const tell = async () => {
      await left.current
      await tellPresence(ref)
    }
    const leave = () => {
      left.current = leavePresence(ref)
    }
    // a page that comes back out of the browser's memory is looked at again
    const comeBack = ({ persisted }: PageTransitionEvent) => persisted && void tell()
    void tell()
    const timer = window.setInterval(() => void tell(), PRESENCE_TOLD_EVERY_MS)
    window.addEventListener('pagehide', leave)
    window.addEventListener('pageshow', comeBack)
    return () => {
      clearInterval(timer)
      window.removeEventListener('pagehide', leave)
      window.removeEventListener('pageshow', comeBack)
      leave()
    }
  }, [project, feature, isAttentive])
}
