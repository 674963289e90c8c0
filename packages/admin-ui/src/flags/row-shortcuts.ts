import type { KeyboardEvent } from 'react'

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }

/**
 * Handles keyboard shortcuts of a flag list: arrows move to the same control in the next or previous row, x selects the
 * row.
 */
export function handleRowShortcut(
  event: KeyboardEvent<HTMLElement>,
  choose: ((index: number, isRange: boolean) => void) | undefined,
): void {
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return
  const row = event.target.closest<HTMLElement>('[data-index]')
  if (row === null) return
  const index = Number(row.dataset.index)
  const step = STEPS[event.key]
  if (step !== undefined) {
    const next = findRow(event.currentTarget, index + step)
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
const ALL_CONTROLS = `${CONTROLS}, button`

/** Returns the row at an index; undefined if it is being removed. */
const findRow = (list: HTMLElement, index: number) =>
  list.querySelector<HTMLElement>(`[data-index="${index}"]:not([data-leaving])`)

/** Focused control in a list: the row, and the control's position within the row. */
export interface RowFocus {
  readonly element: HTMLElement
  readonly index: number
  readonly place: number
}

/** Returns the focused control; undefined if the focus is elsewhere. */
export function findRowFocus(list: HTMLElement): RowFocus | undefined {
  const element = document.activeElement
  if (!(element instanceof HTMLElement) || !list.contains(element)) return undefined
  const row = element.closest<HTMLElement>('[data-index]')
  if (row === null) return undefined
  return { element, index: Number(row.dataset.index), place: [...row.querySelectorAll(ALL_CONTROLS)].indexOf(element) }
}

/**
 * Restores the focus after the focused control was removed. Focuses the corresponding control in the row that now has
 * the same index, or in the last row.
 */
export function restoreRowFocus(list: HTMLElement, { element, index, place }: RowFocus): void {
  if (element.isConnected) return
  const row = findRow(list, index) ?? findRow(list, index - 1)
  row?.querySelectorAll<HTMLElement>(ALL_CONTROLS)[place]?.focus({ preventScroll: true })
}
