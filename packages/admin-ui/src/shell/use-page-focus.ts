import { useEffect, useRef } from 'react'

const CHECK_MS = 50
/**
 * Maximum number of checks for whether the new page has appeared. If it has not appeared by then, the focus is not
 * moved.
 */
const MAX_CHECKS = 100

/**
 * Moves the focus to the content of a new page if the link that the user followed was removed together with the old
 * page. As a result, keyboard users continue in the new page, and screen readers announce the new page.
 */
export function usePageFocus(pathname: string): void {
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current === pathname) return undefined
    before.current = pathname
    const from = document.activeElement
    let left = MAX_CHECKS
    // The old page remains until the new one has been rendered. If the new page has focused an element, the focus stays
    // there.
    const timer = setInterval(() => {
      const now = document.activeElement
      if (now === document.body) document.getElementById('content')?.focus({ preventScroll: true })
      left -= 1
      if (now !== from || now === document.body || left === 0) clearInterval(timer)
    }, CHECK_MS)
    return () => clearInterval(timer)
  }, [pathname])
}
