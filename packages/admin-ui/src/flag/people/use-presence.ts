import { PRESENCE_INTERVAL_MS } from '@burgee/protocol/user'
import { useEffect, useRef } from 'react'
import type { FlagRef } from '../../api/flags.ts'
import { BASE_PATH } from '../../api/http.ts'
import { reportAbsence, reportPresence } from '../../api/live/presence.ts'

/** Delay before presence is reported again after another window has sent a leave message, which may arrive late. */
const REPEAT_DELAY_MS = 1500

/**
 * Reports that the user is viewing a flag. The server stores only one entry per user. When one window stops reporting,
 * all other visible windows therefore report again.
 */
export function usePresence({ project, feature }: FlagRef, isAttentive: boolean): void {
  const left = useRef<Promise<void>>(undefined)
  useEffect(() => {
    if (!isAttentive) return
    const ref = { project, feature }
    // A pending leave message must not remove a user who has returned immediately.
    const tell = async () => {
      await left.current
      await reportPresence(ref)
    }
    const windows = new BroadcastChannel(`burgee-presence${BASE_PATH}`)
    let again: number | undefined
    windows.addEventListener('message', () => {
      clearTimeout(again)
      again = window.setTimeout(() => void tell(), REPEAT_DELAY_MS)
    })
    const leave = () => {
      clearTimeout(again)
      left.current = reportAbsence(ref)
      windows.postMessage('left')
    }
    // A page that is restored from the back/forward cache counts as viewed again.
    const comeBack = ({ persisted }: PageTransitionEvent) => persisted && void tell()
    void tell()
    const timer = window.setInterval(() => void tell(), PRESENCE_INTERVAL_MS)
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
