import type { Logger } from '@burgee/kit/log/logger'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import type { StoredEvent } from '@burgee/storage/queries/events/events'
import type { Resolve } from '../admin/integrations/guarded-request.ts'
import type { PasswordCost } from '../core/access/passwords/passwords.ts'
import type { ServerOptions } from '../core/options/options.ts'
import type { SafeguardCheck } from '../core/world.ts'

/** Dependencies of a server. */
export interface ServerDeps {
  readonly options: ServerOptions
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Monotonic clock for durations, limits and pauses. */
  readonly monotonic: MonotonicClock
  /** Unpredictable bytes, for secrets and ids: `randomBytes` of node:crypto. */
  readonly random: (length: number) => Uint8Array
  readonly logger: Logger
  /** Receives the security log, at level info; `logger` if omitted. */
  readonly securityLogger?: Logger
  /** Receives the progress of a long first start, at level info; `logger` if omitted. */
  readonly progressLogger?: Logger
  /** Called with the text of every query, for tests that count queries. */
  readonly onQuery?: (sql: string) => void
  /**
   * Called with the events of each committed change: for simulations, and for tests that check which operations write
   * which events.
   */
  readonly onEvents?: (events: readonly StoredEvent[]) => void
  /** Called after each check of a safeguard, for simulations. */
  readonly onSafeguardCheck?: (check: SafeguardCheck) => void
  /**
   * Cost of password hashing, for tests and simulations. The cost is not an option, so that no configuration can weaken
   * the hashing.
   */
  readonly passwordCost?: PasswordCost | undefined
  /**
   * Pauses between delivery attempts and between passes of the export of events, and a replacement for the DNS lookup,
   * for tests.
   */
  readonly deliveries?:
    | { readonly pausesMs?: readonly number[]; readonly exportEveryMs?: number; readonly resolve?: Resolve }
    | undefined
  /**
   * Hosts to which requests, and pages that send them, must belong; for a development server with well-known tokens.
   * Other requests get 403. If omitted, all hosts are accepted.
   */
  readonly pageHosts?: readonly string[] | undefined
  /** Pauses between attempts to send a mail, for tests. */
  readonly mails?: { readonly pausesMs: readonly number[] } | undefined
}
