import { PRESENCE_TOLD_EVERY_MS } from '@burgee/protocol/user'
import { useEffect, useRef } from 'react'
import type { FlagRef } from '../../api/flags.ts'
import { BASE_PATH } from '../../api/http.ts'
import { leavePresence, tellPresence } from '../../api/live/presence.ts'

/** Where a person is said again after the goodbye of another window has come, which may be slow on its way. */
const SAID_AGAIN_AFTER_MS = 1500

/**
 * Lets others know that the person looks at a flag, as long as they do. The server knows one place of a person: where one
 * window of a browser leaves, those that are looked at still say again where they are.
 */
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
    const windows = new BroadcastChannel(`burgee-presence${BASE_PATH}`)
    let again: number | undefined
    windows.addEventListener('message', () => {
      clearTimeout(again)
      again = window.setTimeout(() => void tell(), SAID_AGAIN_AFTER_MS)
    })
    const leave = () => {
      clearTimeout(again)
      left.current = leavePresence(ref)
      windows.postMessage('left')
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
      windows.close()
    }
  }, [project, feature, isAttentive])
}
