import { useRef } from 'react'
import { useRefetch } from '../../api/use-refetch.ts'
import { useTexts } from '../../text/texts.tsx'
import { useConfirm } from '../dialog/confirm.tsx'
import type { Question } from '../dialog/question.ts'
import { tellDone, tellFailed } from './feedback.ts'

/** Something that a button does. */
export interface Act {
  /** Its name, as a refusal says it. */
  readonly what: string
  /** Asked first. */
  readonly ask?: Question
  readonly run: () => Promise<unknown>
  /** What is said when it is done; a function where only that tells it. */
  readonly done: string | (() => string)
  /** Takes it back, and what is said then. */
  readonly undo?: { readonly run: () => Promise<unknown>; readonly done: string }
  /** First parts of the keys of the queries that it concerns. */
  readonly changes: readonly string[]
}

/** Does what a button says: asks where that is needed, says what came of it, offers the way back. True when it is done. */
export function useAct(): (act: Act) => Promise<boolean> {
  const t = useTexts()
  const ask = useConfirm()
  const refetch = useRefetch()
  // a button that is pressed twice, fast, acts once
  const isBusy = useRef(false)
  const perform = async (act: Act): Promise<boolean> => {
    const { what, run, done, undo, changes } = act
    try {
      await run()
      await refetch(...changes.map((key) => [key]), ['events'])
      tellDone(
        typeof done === 'string' ? done : done(),
        undo && { label: t.common.undo, run: () => void perform({ what: t.common.undo, changes, ...undo }) },
      )
      return true
    } catch (error) {
      tellFailed(t, what, error)
      return false
    }
  }
  return async (act) => {
    if (isBusy.current) return false
    isBusy.current = true
    try {
      return (act.ask === undefined || (await ask(act.ask))) && (await perform(act))
    } finally {
      isBusy.current = false
    }
  }
}
