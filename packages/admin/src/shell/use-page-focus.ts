import { useEffect, useRef } from 'react'

const LOOK_MS = 50
/** A page that comes later than this has been waited for with the eyes. */
const LOOKS = 100

/**
 * Brings the focus to the content of a new page where the link that led there is gone with the old one: keys go on from
 * there, and whoever listens hears where they are.
 */
export function usePageFocus(pathname: string): void {
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current === pathname) return undefined
    before.current = pathname
    const from = document.activeElement
    let left = LOOKS
    // the old page stays until the new one has come; what that gives the focus to keeps it
    const timer = setInterval(() => {
      const now = document.activeElement
      if (now === document.body) document.getElementById('content')?.focus({ preventScroll: true })
      left -= 1
      if (now !== from || now === document.body || left === 0) clearInterval(timer)
    }, LOOK_MS)
    return () => clearInterval(timer)
  }, [pathname])
}
