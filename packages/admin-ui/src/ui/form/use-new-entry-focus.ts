import { type RefObject, useEffect, useRef } from 'react'

/** Returns a ref for the first input of a list entry. Scrolls a new entry into view and selects the input's text. */
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
