import type { KeyboardEvent } from 'react'

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/** Keys within a list of flags: arrows go to the same thing in the row above or below, x selects the row. */
export function rowShortcuts(
  event: KeyboardEvent<HTMLElement>,
  choose: ((index: number, isRange: boolean) => void) | undefined,
): void {
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return
  const row = event.target.closest<HTMLElement>('[data-index]')
  if (row === null) return
  const index = Number(row.dataset.index)
  const step = STEPS[event.key]
  if (step !== undefined) {
    const next = event.currentTarget.querySelector(`[data-index="${index + step}"]`)
    const controls = next?.querySelectorAll<HTMLElement>(CONTROLS)
    const place = [...row.querySelectorAll(CONTROLS)].indexOf(event.target)
    controls?.[Math.max(0, place)]?.focus()
  } else if (event.key.toLowerCase() === 'x' && choose !== undefined) {
    choose(index, event.shiftKey)
  } else {
    return
  }
  event.preventDefault()
}

const CONTROLS = 'a, input'
