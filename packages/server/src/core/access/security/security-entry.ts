import type { FieldValue } from '@burgee/kit/log/logger'
import type { Author, RequestRoute, StoredEvent } from '@burgee/storage/queries/events/events'

/** Types of security log entries: logins, denials and changes to access. */
export type SecurityEvent =
  | 'login'
  | 'login-failed'
  | 'refused'
  | 'limited'
  | 'rejected'
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
  | 'sessions-ended'
  | 'change-requests-changed'
  | 'change-requests-skipped'

/** Entry of the security log. Contains neither secrets nor input from unknown callers. */
export interface SecurityEntry {
  readonly event: SecurityEvent
  readonly result: 'success' | 'refused'
  readonly status?: number
  /** Name of the error, such as `NoAccessError`. */
  readonly reason?: string
  /** Name of the user or token; null if unknown. */
  readonly actor: string | null
  readonly actorId: number | null
  readonly address: string | null
  readonly via: RequestRoute | undefined
  /** Details of the event, such as the affected user. */
  readonly details?: Readonly<Record<string, FieldValue>>
}

/** Log for operators, separate from the general log: logins, denials and changes to access. */
export interface SecurityLog {
  record(entry: SecurityEntry): void
  /** Logs the access-related events among the events of a change. */
  recordChanges(author: Author, events: readonly StoredEvent[]): void
  /** Logs the number of suppressed entries and stops. */
  close(): void
}
