import { type FocusEvent, useEffect, useRef } from 'react'
import type { Save } from './use-submit-once.ts'

/**
 * Returns true if a form contains unsaved input. After a save, the input counts as saved only if `isDone` is true.
 * `isDone` is false if the save found a concurrent change by another user. Text that is still in a field and has not
 * reached the draft yet also counts as unsaved.
 */
export function useDirty(draft: unknown, save: Save, isDone: boolean) {
  const now = JSON.stringify(draft)
  const first = useRef(now)
  const sent = useRef(now)
  const field = useRef<{ element: HTMLInputElement | HTMLTextAreaElement; value: string }>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each save runs the effect, even with equal data
  useEffect(() => {
    if (save.isSuccess && isDone) first.current = sent.current
  }, [save.isSuccess, save.submittedAt, isDone])
  const isBeingTyped = (): boolean => {
    const { element, value } = field.current ?? {}
    return element !== undefined && element === document.activeElement && element.value !== value
  }
  return {
    isDirty: () => now !== first.current || isBeingTyped(),
    /** Stores the input that was submitted. */
    send: () => {
      sent.current = now
    },
    onFocus: ({ target }: FocusEvent) => {
      const isText = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
      field.current = isText ? { element: target, value: target.value } : undefined
    },
  }
}
