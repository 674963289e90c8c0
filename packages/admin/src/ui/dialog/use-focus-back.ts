import { useEffect, useState } from 'react'

/**
 * Gives the focus back to what had it when this was first shown, once this is gone. For dialogs that exist only while
 * they are open: those that stay do so by themselves.
 */
export function useFocusBack(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      // the dialog lets go of the focus first
      setTimeout(() => {
        const isFree = document.activeElement === null || document.activeElement === document.body
        if (isFree && before instanceof HTMLElement && before.isConnected) before.focus()
      })
    },
    [before],
  )
}
