import { useRef } from 'react'
import { useRefetch } from '../../api/use-refetch.ts'
import { useTexts } from '../../text/texts.tsx'
import { useConfirm } from '../dialog/confirm.tsx'
import type { Question } from '../dialog/question.ts'
import { showFailure, showSuccess } from './feedback.ts'

/** Action that a button performs. */
export interface UserAction {
  /** Name of the action in failure messages. */
  readonly what: string
  /** Question that the user must confirm before the action, or a function that asks it and resolves to the answer. */
  readonly ask?: Question | (() => Promise<boolean>)
  readonly run: () => Promise<unknown>
  /** Success message, or a function that returns it if it depends on the result. */
  readonly done: string | (() => string)
  /** Function that undoes the action, and the success message for undoing. */
  readonly undo?: { readonly run: () => Promise<unknown>; readonly done: string }
  /** Key prefixes of the queries that the action affects. */
  readonly changes: readonly string[]
}

/**
 * Returns a function that performs an action: asks for confirmation if required, reports the result and offers an undo.
 * Resolves to true if the action was performed.
 */
export function useAction(): (act: UserAction) => Promise<boolean> {
  const t = useTexts()
  const ask = useConfirm()
  const refetch = useRefetch()
  // A fast double click must not perform the action twice.
  const isBusy = useRef(false)
  const perform = async (act: UserAction): Promise<boolean> => {
    const { what, run, done, undo, changes } = act
    try {
      await run()
      await refetch(...changes.map((key) => [key]), ['events'])
      showSuccess(
        typeof done === 'string' ? done : done(),
        undo && { label: t.common.undo, run: () => void perform({ what: t.common.undo, changes, ...undo }) },
      )
      return true
    } catch (error) {
      showFailure(t, what, error)
      return false
    }
  }
  const isConfirmed = async (question: UserAction['ask']): Promise<boolean> => {
    if (typeof question === 'function') return question()
    return question === undefined || ask(question)
  }
  return async (act) => {
    if (isBusy.current) return false
    isBusy.current = true
    try {
      return (await isConfirmed(act.ask)) && (await perform(act))
    } catch (error) {
      showFailure(t, act.what, error)
      return false
    } finally {
      isBusy.current = false
    }
  }
}
