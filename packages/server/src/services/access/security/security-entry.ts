import type { FieldValue } from '@burgee/kit/log/logger'
import type { Author, StoredEvent, Via } from '../../../store/events/events.ts'

/** What is told of who comes in, who is refused, and who may do what. */
export type SecurityEvent =
  | 'login'
  | 'login-failed'
  | 'refused'
  | 'token-created'
  | 'token-updated'
  | 'token-deleted'
  | 'user-created'
  | 'user-deleted'
  | 'role-changed'
  | 'role-made'
  | 'role-edited'
  | 'role-removed'
  | 'group-joined'
  | 'group-left'
  | 'password-changed'
  | 'reset-link-made'
  | 'change-requests-changed'
  | 'change-requests-skipped'

/** One line of the security log. Nothing of it is a secret, or what somebody typed who is not known. */
export interface SecurityEntry {
  readonly event: SecurityEvent
  readonly result: 'success' | 'refused'
  readonly status?: number
  /** Name of the problem. */
  readonly reason?: string
  /** Who: name of a user or of a token; null where nobody is known. */
  readonly actor: string | null
  readonly actorId: number | null
  readonly address: string | null
  readonly via: Via | undefined
  /** What it was done to. */
  readonly details?: Readonly<Record<string, FieldValue>>
}

/** Tells an operator, apart from what the log tells, who came in, who was refused and who may do what. */
export interface SecurityLog {
  note(entry: SecurityEntry): void
  /** Notes those events among all that somebody's change has written that concern access. */
  changed(author: Author, events: readonly StoredEvent[]): void
  /** Says what was suppressed, and no more. */
  close(): void
}
