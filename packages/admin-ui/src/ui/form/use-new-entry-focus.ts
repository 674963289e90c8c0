import { type RefObject, useEffect, useRef } from 'react'

/**
 * Returns a ref for the first input of a list entry. A new entry is scrolled into view, and the text of its input is
 * selected.
 */
export function useNewEntryFocus(isNew: boolean): RefObject<HTMLInputElement | null> {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (!isNew) return
    input.current?.closest('fieldset')?.scrollIntoView({ block: 'center' })
    input.current?.focus({ preventScroll: true })
    input.current?.select()
  }, [isNew])
  return input
}
