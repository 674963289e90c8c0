import { createContext, lazy, type ReactNode, Suspense, use, useCallback, useState } from 'react'
import type { Question } from './question.ts'

const ConfirmDialog = lazy(async () => ({ default: (await import('./confirm-dialog.tsx')).ConfirmDialog }))

type Ask = (question: Question) => Promise<boolean>
const Context = createContext<Ask>(async () => false)

/** Asks a question in a dialog; true when the person confirms. */
export const useConfirm = (): Ask => use(Context)

/** Shows the questions of everything below. */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState<{ question: Question; answer: (yes: boolean) => void }>()
  const [isShown, setShown] = useState(false)
  const ask = useCallback<Ask>((question) => {
    setShown(true)
    return new Promise((resolve) => setOpen({ question, answer: resolve }))
  }, [])
  const finish = (yes: boolean): void => {
    open?.answer(yes)
    setShown(false)
  }
  return (
    <Context value={ask}>
      {children}
      <Suspense>{open && isShown && <ConfirmDialog question={open.question} finish={finish} />}</Suspense>
    </Context>
  )
}
