import { useEffect, useState } from 'react'

/**
 * Enter, pressed before the results of what is typed are there, counts once they are: it waits for exactly this text.
 * Further typing, or a search that fails, lets it go. The result is what the key does, and what lets it go.
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
