import { useBlocker } from '@tanstack/react-router'
import { createContext, type RefObject, use, useEffect, useRef } from 'react'
import { useConfirm } from './confirm.tsx'
import { EDITORS } from './editors.ts'
import type { Question } from './question.ts'

/** Whether what is in a dialog may be thrown away; asks where that is needed. */
type MayGo = () => Promise<boolean>

/** Where a dialog hears from what is in it. */
const Keeper = createContext<RefObject<MayGo | undefined> | undefined>(undefined)

/** Lets what is below it keep a dialog open: `<CloseGuardProvider value={ref}>`, with the ref of `useGuardedClose`. */
export const CloseGuardProvider = Keeper.Provider

let isGoing = false

/** Leaves the page for another address, whatever is not saved; for when the person has agreed to that. */
export function leaveFor(address: string): void {
  isGoing = true
  location.assign(address)
}

/** For a dialog: closes it, once what is in it may go. */
export function useGuardedClose(close: () => void) {
  const keeper = useRef<MayGo | undefined>(undefined)
  const leave = async (): Promise<void> => {
    if (keeper.current === undefined || (await keeper.current())) close()
  }
  return { keeper, leave: () => void leave() }
}

interface Kept {
  /** Whether something would be lost; asked when somebody is about to leave. */
  readonly isKept: () => boolean
  readonly question: Question
  /** It is being saved: what follows a save may lead elsewhere. */
  readonly isSending?: boolean
}

/**
 * Asks before what is typed, or shown this once, is lost: when the dialog around it is closed, when a link or Back leads
 * elsewhere, and (in the browser's own words) before the page is loaded anew. The result goes somewhere after the same
 * question; with `isSure` without it.
 */
export function useUnsavedChanges({ isKept, question, isSending = false }: Kept) {
  const ask = useConfirm()
  const keeper = use(Keeper)
  const asked = useRef<Promise<boolean>>(undefined)
  const isFree = useRef(false)
  useEffect(() => EDITORS.show(true), [])
  const mayGo: MayGo = async () => {
    if (!isKept() || isFree.current) return true
    asked.current ??= ask(question)
    isFree.current = await asked.current
    asked.current = undefined
    return isFree.current
  }
  useEffect(() => {
    if (keeper === undefined) return
    keeper.current = mayGo
    return () => {
      keeper.current = undefined
    }
  })
  useBlocker({
    shouldBlockFn: async ({ action }) => {
      const isOwn = isSending && (action === 'PUSH' || action === 'REPLACE')
      return !isOwn && !(await mayGo())
    },
    enableBeforeUnload: () => isKept() && !isFree.current && !isGoing,
  })
  return (go: () => void, isSure = false): void => {
    if (isSure) isFree.current = true
    void mayGo().then((may) => may && go())
  }
}
