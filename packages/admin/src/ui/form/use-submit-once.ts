import { useEffect, useRef } from 'react'

/** What a form needs to know of its save; a mutation of TanStack Query is one. */
export interface Save {
  readonly error: Error | null
  readonly isPending: boolean
  readonly isSuccess: boolean
  /** When it was last begun, in milliseconds; another number for each time. */
  readonly submittedAt: number
}

/** Lets something begin once, however fast the button is pressed twice, and again when it is over. */
export function useSubmitOnce({ isPending, submittedAt }: Save): (begin: () => void) => void {
  const isBegun = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page hears late that it has begun; then `isPending` holds
  useEffect(() => {
    isBegun.current = false
  }, [isPending, submittedAt])
  return (begin) => {
    if (isBegun.current || isPending) return
    isBegun.current = true
    begin()
  }
}
