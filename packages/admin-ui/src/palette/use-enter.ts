import { useEffect, useState } from 'react'

/**
 * Handles the case that Enter is pressed before the results arrive. Opens the highlighted entry once the results for
 * exactly this text have arrived. Typing more text or a failed search cancels the pending Enter. Returns the key
 * handler and a function that cancels a pending Enter.
 */
export function useEnter(text: string, state: 'coming' | 'here' | 'failed', open: () => void) {
  const [pressedFor, setPressedFor] = useState<string>()
  const isWaiting = pressedFor === text
  // biome-ignore lint/correctness/useExhaustiveDependencies: opens once, when the results have arrived
  useEffect(() => {
    if (!isWaiting || state === 'coming') return
    setPressedFor(undefined)
    if (state === 'here') open()
  }, [isWaiting, state])
  return { press: (wanted = text) => setPressedFor(wanted), forget: () => setPressedFor(undefined) }
}
