import { useEffect, useRef } from 'react'

/** State of a save, such as a TanStack Query mutation. */
export interface Save {
  readonly error: Error | null
  readonly isPending: boolean
  readonly isSuccess: boolean
  /** Time at which the last save started, in milliseconds; unique for each save. */
  readonly submittedAt: number
}

/**
 * Returns a function that starts a save, but ignores further calls (such as a fast double click) until the save has
 * finished.
 */
export function useSubmitOnce({ isPending, submittedAt }: Save): (begin: () => void) => void {
  const isBegun = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: resets after each submission, which `isPending` and `submittedAt` show
  useEffect(() => {
    isBegun.current = false
  }, [isPending, submittedAt])
  return (begin) => {
    if (isBegun.current || isPending) return
    isBegun.current = true
    begin()
  }
}
