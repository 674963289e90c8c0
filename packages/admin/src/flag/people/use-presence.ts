import { PRESENCE_TOLD_EVERY_MS } from '@burgee/protocol/user'
import { useEffect, useRef } from 'react'
import type { FlagRef } from '../../api/flags.ts'
import { BASE_PATH } from '../../api/http.ts'
import { leavePresence, tellPresence } from '../../api/live/presence.ts'

/** Delay before reporting presence again after another window's leave message, which may arrive late. */
const SAID_AGAIN_AFTER_MS = 1500

/**
 * Reports that the user is viewing a flag. The server stores one place per user, so when one window leaves, the other
 * visible windows report again.
 */
export function usePresence({ project, feature }: FlagRef, isAttentive: boolean): void {
  const left = useRef<Promise<void>>(undefined)
  useEffect(() => {
    if (!isAttentive) return
    const ref = { project, feature }
    // A pending leave message must not remove a user who returns immediately.
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
    // A page restored from the back/forward cache is viewed again.
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
