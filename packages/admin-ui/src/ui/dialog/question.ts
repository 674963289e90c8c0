import type { ReactNode } from 'react'

/** Question before an action that is hard to undo. */
export interface Question {
  readonly title: string
  readonly text: ReactNode
  readonly action: string
  /** Label of the button that does not confirm; this button gets the focus. Default: "Cancel". */
  readonly refusal?: string
  readonly isDanger?: boolean
  /** Third answer, which cancels the action and runs another one instead. */
  readonly other?: { readonly label: string; readonly run: () => void }
  /** Text that must be typed to confirm, for irreversible actions. */
  readonly typed?: string
}
