import { useEffect, useLayoutEffect, useRef } from 'react'

/** Close functions of the open layers, topmost last. */
const open: (() => void)[] = []

function onKey(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.isComposing) return
  // If a dropdown is open, Escape closes only the dropdown, which handles the key itself.
  if (event.target instanceof Element && event.target.getAttribute('data-mantine-stop-propagation') === 'true') return
  open.at(-1)?.()
}

/** Closes the topmost layer on Escape, such as a question above an editor. */
export function useEscape(close: () => void, isOpen = true): void {
  const latest = useRef(close)
  useLayoutEffect(() => {
    latest.current = close
  })
  useEffect(() => {
    if (!isOpen) return
    const entry = (): void => latest.current()
    if (open.length === 0) window.addEventListener('keydown', onKey, { capture: true })
    open.push(entry)
    return () => {
      open.splice(open.indexOf(entry), 1)
      if (open.length === 0) window.removeEventListener('keydown', onKey, { capture: true })
    }
  }, [isOpen])
}
