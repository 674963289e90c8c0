import { useEffect, useState } from 'react'

/**
 * Handles Enter that is pressed before the results arrive: opens the marked entry once they are here, for exactly this
 * text. Further typing or a failed search cancels it. Returns the key handler and a cancel function.
 */
export function useEnter(text: string, state: 'coming' | 'here' | 'failed', open: () => void) {
  const [pressedFor, setPressedFor] = useState<string>()
  const isWaiting = pressedFor === text
  // biome-ignore lint/correctness/useExhaustiveDependencies: it opens once, when the results have come
  useEffect(() => {
    if (!isWaiting || state === 'coming') return
    setPressedFor(undefined)
    if (state === 'here') open()
  }, [isWaiting, state])
  return { press: (wanted = text) => setPressedFor(wanted), forget: () => setPressedFor(undefined) }
}
