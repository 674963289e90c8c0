import { useEffect, useState } from 'react'

/**
 * Moves the focus back to the previously focused element on unmount. For dialogs that are mounted only while they are
 * open; dialogs that are always mounted restore the focus themselves.
 */
export function useReturnFocus(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // The dialog must release the focus first.
      setTimeout(() => {
        const isFree = document.activeElement === null || document.activeElement === document.body
        if (isFree && before instanceof HTMLElement && before.isConnected) before.focus()
      })
    },
    [before],
  )
}
