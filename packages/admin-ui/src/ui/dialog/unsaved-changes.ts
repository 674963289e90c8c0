import { useBlocker } from '@tanstack/react-router'
import { createContext, type RefObject, use, useEffect, useRef } from 'react'
import { useConfirm } from './confirm.tsx'
import { EDITORS } from './editors.ts'
import type { Question } from './question.ts'

/** Returns true if the content of a dialog may be discarded. Asks the user if necessary. */
type LeaveGuard = () => Promise<boolean>

/** Context that provides a ref. The content of a dialog stores its close guard in this ref. */
const LeaveGuardContext = createContext<RefObject<LeaveGuard | undefined> | undefined>(undefined)

/**
 * Provides the ref through which the content of a dialog can prevent the dialog from closing. Use: `<CloseGuardProvider
 * value={ref}>`, with the ref of `useGuardedClose`.
 */
export const CloseGuardProvider = LeaveGuardContext.Provider

let isLeaving = false

/** Navigates to another address without asking about unsaved changes. Must only be called after the user has agreed. */
export function leaveFor(address: string): void {
  isLeaving = true
  location.assign(address)
}

/** Returns a function that closes a dialog if the content of the dialog allows it. */
export function useGuardedClose(close: () => void) {
  const keeper = useRef<LeaveGuard | undefined>(undefined)
  const leave = async (): Promise<void> => {
    if (keeper.current === undefined || (await keeper.current())) close()
  }
  return { keeper, leave: () => void leave() }
}

interface UnsavedChangesOptions {
  /** Returns true if input would be lost by leaving. Called before the user leaves. */
  readonly hasUnsaved: () => boolean
  readonly question: Question
  /** True while saving, when navigation needs no question because a successful save may navigate away. */
  readonly isSending?: boolean
}

/**
 * Asks before unsaved input or a one-time secret is lost: when the dialog is closed, on navigation, and on reload. On
 * reload, it is the browser that shows the question. Returns a function that navigates after asking the same question.
 * If `isSure` is true, the function navigates without asking.
 */
export function useUnsavedChanges({ hasUnsaved, question, isSending = false }: UnsavedChangesOptions) {
  const ask = useConfirm()
  const keeper = use(LeaveGuardContext)
  const requested = useRef<Promise<boolean>>(undefined)
  const isFree = useRef(false)
  useEffect(() => EDITORS.show(true), [])
  const mayGo: LeaveGuard = async () => {
    if (!hasUnsaved() || isFree.current) return true
    requested.current ??= ask(question)
    isFree.current = await requested.current
    requested.current = undefined
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
    enableBeforeUnload: () => hasUnsaved() && !isFree.current && !isLeaving,
  })
  return (go: () => void, isSure = false): void => {
    if (isSure) isFree.current = true
    void mayGo().then((may) => may && go())
  }
}
