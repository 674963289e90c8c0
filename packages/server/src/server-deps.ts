import type { Logger } from '@burgee/kit/log/logger'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import type { ServerOptions } from './options.ts'
import type { PasswordCost } from './services/access/passwords/passwords.ts'
import type { Resolve } from './services/integrations/guarded-request.ts'

/** What a server is made of. */
export interface ServerDeps {
  readonly options: ServerOptions
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Measures durations, limits and pauses. */
  readonly monotonic: MonotonicClock
  /** Unpredictable bytes, for secrets and ids: `randomBytes` of node:crypto. */
  readonly random: (length: number) => Uint8Array
  readonly logger: Logger
  /** What the security log is written to, at the level info; `logger` where it is left out. */
  readonly securityLogger?: Logger
  /** Sees the text of every query, for tests that count them. */
  readonly onQuery?: (sql: string) => void
  /** How much work a password is, for tests; no option sets it, so that the command never makes it cheap. */
  readonly passwordCost?: PasswordCost | undefined
  /** Other pauses between deliveries, and another look-up of names, for tests. */
  readonly deliveries?: { readonly pausesMs?: readonly number[]; readonly resolve?: Resolve } | undefined
  /** Other pauses between tries to send a mail, for tests. */
  readonly mails?: { readonly pausesMs: readonly number[] } | undefined
}
