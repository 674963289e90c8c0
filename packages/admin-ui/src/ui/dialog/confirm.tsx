import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { useTexts } from '../../text/texts.tsx'
import { loadPart } from '../loading/load-part.ts'
import { usePart } from '../loading/use-part.ts'
import { showFailure } from '../messages/feedback.ts'
import { EDITORS } from './editors.ts'
import type { Question } from './question.ts'

const loadDialog = () => loadPart('ConfirmDialog', async () => (await import('./confirm-dialog.tsx')).ConfirmDialog)

type Ask = (question: Question) => Promise<boolean>
const Context = createContext<Ask>(async () => false)

interface Open {
  readonly question: Question
  readonly answer: (yes: boolean) => void
}

/** Returns a function that asks a question in a dialog, and resolves to true if the user confirms. */
export const useConfirm = (): Ask => use(Context)

/** Shows the confirmation dialogs that child components request with `useConfirm`. */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  const t = useTexts()
  const [open, setOpen] = useState<Open>()
  const current = useRef<Open>(undefined)
  // Preload the confirmation dialog when the first editor opens, because it may be needed while the server is
  // unreachable.
  const isEditing = useSyncExternalStore(EDITORS.subscribe, EDITORS.isOpen)
  const { Part: ConfirmDialog, error } = usePart(loadDialog, isEditing || open !== undefined)
  const finish = useCallback((yes: boolean): void => {
    current.current?.answer(yes)
    current.current = undefined
    setOpen(undefined)
  }, [])
  const ask = useCallback<Ask>(
    (question) =>
      new Promise((answer) => {
        // A new question cancels the one that is open.
        finish(false)
        current.current = { question, answer }
        setOpen(current.current)
      }),
    [finish],
  )
  useEffect(() => {
    if (open === undefined || error === undefined) return
    // If the dialog cannot be loaded, the action is not performed.
    finish(false)
    showFailure(t, open.question.action, error)
  }, [open, error, finish, t])
  return (
    <Context value={ask}>
      {children}
      {open && ConfirmDialog && <ConfirmDialog question={open.question} finish={finish} />}
    </Context>
  )
}
