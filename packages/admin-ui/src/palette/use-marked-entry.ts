import { useState } from 'react'
import type { PaletteEntry } from './entry.ts'

/**
 * Returns the highlighted entry: the user's choice while that entry exists and the text is unchanged, otherwise the
 * first entry that is not a switch.
 */
export function useMarkedEntry(entries: readonly PaletteEntry[], text: string) {
  const [chosen, setChosen] = useState({ id: '', text })
  const own = chosen.text === text ? entries.find(({ id }) => id === chosen.id) : undefined
  const marked = own ?? entries.find(({ isSwitch = false }) => !isSwitch)
  const move = (steps: 1 | -1): void => {
    if (entries.length === 0) return
    const at = marked === undefined ? -1 : entries.indexOf(marked)
    const next = entries.at((at + steps) % entries.length)
    setChosen({ id: next?.id ?? '', text })
  }
  return { marked, isChosen: own !== undefined, move }
}
