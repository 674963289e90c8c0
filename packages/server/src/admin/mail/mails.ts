import type { ChangeAuthor } from '../../core/access/rights/rights.ts'

/** Mails that the server sends; calls return at once and never wait for delivery. */
export interface Mails {
  /** Sends a new user the link to set the first password. Returns false if the mail cannot be queued. */
  invite(reader: { readonly name: string | null; readonly email: string }, link: string): boolean
  /**
   * Sends a password-reset link to the account with this address, if there is one. The lookup happens later, so that
   * neither the response nor its timing reveals whether the address is known.
   */
  reset(email: string, asking: ChangeAuthor): void
  /** Sends no further mail and waits at most two seconds for mails in progress. */
  close(): Promise<void>
}
