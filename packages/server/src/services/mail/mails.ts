import type { Author } from '../../store/events/events.ts'

/** Mails that the server sends; a call says at once whether one is taken, and never waits for it. */
export interface Mails {
  /** The link by which somebody new sets the first password. False where it is not sent. */
  invite(reader: { readonly name: string | null; readonly email: string }, link: string): boolean
  /**
   * A link for whoever has this address, and nothing where nobody has it: that is found out later, so that nobody learns
   * it from the answer or from how long that takes.
   */
  reset(email: string, asking: Author): void
  /** Sends nothing more, and waits for what is under way, two seconds at most. */
  close(): Promise<void>
}
