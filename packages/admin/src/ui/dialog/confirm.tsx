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
import { tellFailed } from '../messages/feedback.ts'
import { EDITORS } from './editors.ts'
import type { Question } from './question.ts'

const loadDialog = () => loadPart('ConfirmDialog', async () => (await import('./confirm-dialog.tsx')).ConfirmDialog)

type Ask = (question: Question) => Promise<boolean>
const Context = createContext<Ask>(async () => false)

interface Open {
  readonly question: Question
  readonly answer: (yes: boolean) => void
}

/** Asks a question in a dialog; true when the person confirms. */
export const useConfirm = (): Ask => use(Context)

/** Shows the questions of everything below. */
export function ConfirmProvider({ children }: { children: ReactNode }) {
  const t = useTexts()
  const [open, setOpen] = useState<Open>()
  const current = useRef<Open>(undefined)
  // it comes with the first editor, whose question may have to be asked when the server is away
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
        // who asks while a question stands has no answer to that one
        finish(false)
        current.current = { question, answer }
        setOpen(current.current)
      }),
    [finish],
  )
  useEffect(() => {
    if (open === undefined || error === undefined) return
    // what cannot be asked is not done
    finish(false)
    tellFailed(t, open.question.action, error)
  }, [open, error, finish, t])
  return (
    <Context value={ask}>
      {children}
      {open && ConfirmDialog && <ConfirmDialog question={open.question} finish={finish} />}
    </Context>
  )
}
