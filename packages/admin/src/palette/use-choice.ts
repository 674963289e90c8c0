import { useState } from 'react'
import type { Entry } from './entry.ts'

/**
 * Which entry is marked: the one that the person went to, as long as it is there and the text is the same; else the
 * first that switches nothing, whenever it comes.
 */
export function useChoice(entries: readonly Entry[], text: string) {
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
