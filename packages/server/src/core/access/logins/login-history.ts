import type { LoginEvent } from '@burgee/protocol/access'
import { insertLogins, type LoginRow } from '@burgee/storage/queries/access/login-history'
import { record } from '../../execute.ts'
import type { World } from '../../world.ts'

/** Login or login attempt. */
export interface LoginNote {
  /** Name of the account; empty for an unknown account, because the typed name may be a password. */
  readonly username: string
  readonly authType: 'simple' | 'oidc'
  readonly ip: string
  /** Reason for the failure, without input from the client; undefined for a success. */
  readonly failure?: string | undefined
}

/** History of logins and login attempts. */
export interface LoginHistory {
  /** Records a login and starts to write it. Does not wait for the write, so that the response time reveals nothing. */
  record(login: LoginNote): void
  /** Resolves once every login recorded before the call has been written or could not be written. */
  settled(): Promise<void>
}

/** Maximum number of buffered logins, so that a database outage does not exhaust the memory. */
const MAX_BUFFERED = 1000
/** Maximum number of rows per statement. */
const MAX_ROWS_PER_STATEMENT = 100

/**
 * Creates the history. Writes run one at a time; logins recorded during a write are batched, so a flood causes one
 * write at a time.
 */
export function createLoginHistory(world: World): LoginHistory {
  const waiting: (LoginNote & { readonly at: number })[] = []
  let writing: Promise<void> = Promise.resolve()
  let isNextSet = false
  const write = async (): Promise<void> => {
    isNextSet = false
    try {
      while (waiting.length > 0) {
        const rows = waiting.slice(0, MAX_ROWS_PER_STATEMENT).map(toRow)
        await record(world, (tx) => insertLogins(tx, rows))
        waiting.splice(0, rows.length)
      }
    } catch (error) {
      world.logger.warn('Cannot write the login history; it will be written with the next login', error)
    }
  }
  return {
    record(login) {
      if (waiting.length < MAX_BUFFERED) waiting.push({ ...login, at: world.clock() })
      if (isNextSet) return
      isNextSet = true
      writing = writing.then(write)
    },
    settled: () => writing,
  }
}

function toRow({ username, authType, ip, failure, at }: LoginNote & { readonly at: number }) {
  const result = { successful: Number(failure === undefined), failure_reason: failure ?? null }
  return { username, auth_type: authType, ip, created_at: at, ...result }
}

/** Returns a login in its wire format. Source: wire protocol */
export function toLoginEvent({
  id,
  username,
  auth_type,
  created_at,
  successful,
  ip,
  failure_reason,
}: LoginRow): LoginEvent {
  const at = new Date(created_at).toISOString()
  return { id, username, auth_type, created_at: at, successful: successful === 1, ip, failure_reason }
}
