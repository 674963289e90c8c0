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
    const next = rowAt(event.currentTarget, index + step)
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

/** The row at a place of the list; not one that is about to leave. */
const rowAt = (list: HTMLElement, index: number) =>
  list.querySelector<HTMLElement>(`[data-index="${index}"]:not([data-leaving])`)

/** What has the focus within a list: which control of which row. */
export interface RowFocus {
  readonly element: HTMLElement
  readonly index: number
  readonly place: number
}

/** Notes what has the focus; undefined where it is elsewhere. */
export function rowFocus(list: HTMLElement): RowFocus | undefined {
  const element = document.activeElement
  if (!(element instanceof HTMLElement) || !list.contains(element)) return undefined
  const row = element.closest<HTMLElement>('[data-index]')
  if (row === null) return undefined
  return { element, index: Number(row.dataset.index), place: [...row.querySelectorAll(ALL_CONTROLS)].indexOf(element) }
}

/** Where what had the focus has left, the same control of the row in its place gets it, of the last one at the end. */
export function focusAgain(list: HTMLElement, { element, index, place }: RowFocus): void {
  if (element.isConnected) return
  const row = rowAt(list, index) ?? rowAt(list, index - 1)
  row?.querySelectorAll<HTMLElement>(ALL_CONTROLS)[place]?.focus({ preventScroll: true })
}
