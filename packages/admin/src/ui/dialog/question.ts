import type { ReactNode } from 'react'

/** A question before something that cannot be taken back lightly. */
export interface Question {
  readonly title: string
  readonly text: ReactNode
  readonly action: string
  /** What the other button says, which then has the focus; "Cancel" where it is left out. */
  readonly refusal?: string
  readonly isDanger?: boolean
  /** Must be typed first: for what destroys something for good. */
  readonly typed?: string
}
