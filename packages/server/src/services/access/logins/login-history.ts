import type { LoginEvent } from '@burgee/protocol/access'
import { insertLogins, type LoginRow } from '../../../store/access/login-history.ts'
import { record } from '../../execute.ts'
import type { World } from '../../world.ts'

/** One login, or the attempt at one. */
export interface LoginNote {
  /** Name of the account; empty where there is none: what was typed as a name may be a password. */
  readonly username: string
  readonly authType: 'simple' | 'oidc'
  readonly ip: string
  /** Why it failed, in words that hold nothing of what was sent; undefined where it did not. */
  readonly failure?: string | undefined
}

/** Writes down who has logged in, and who tried. */
export interface LoginHistory {
  /** Notes one, and begins to write it. Returns at once, so that the time of a reply tells nothing. */
  note(login: LoginNote): void
  /** Ends once all that were noted before are written, or could not be. */
  settled(): Promise<void>
}

/** Most that wait for the database; one that is down must not fill the memory. */
const MOST_WAITING = 1000
/** Most that one statement takes. */
const WRITTEN_AT_ONCE = 100

/** Writes one after the other; those that come meanwhile go together, so that a flood costs one write at a time. */
export function createLoginHistory(world: World): LoginHistory {
  const waiting: (LoginNote & { readonly at: number })[] = []
  let writing: Promise<void> = Promise.resolve()
  let isNextSet = false
  const write = async (): Promise<void> => {
    isNextSet = false
    try {
      while (waiting.length > 0) {
        const rows = waiting.slice(0, WRITTEN_AT_ONCE).map(rowOf)
        await record(world, (tx) => insertLogins(tx, rows))
        waiting.splice(0, rows.length)
      }
    } catch (error) {
      world.logger.warn('The history of logins could not be written; it is with the next one', error)
    }
  }
  return {
    note(login) {
      if (waiting.length < MOST_WAITING) waiting.push({ ...login, at: world.clock() })
      if (isNextSet) return
      isNextSet = true
      writing = writing.then(write)
    },
    settled: () => writing,
  }
}

function rowOf({ username, authType, ip, failure, at }: LoginNote & { readonly at: number }) {
  const result = { successful: Number(failure === undefined), failure_reason: failure ?? null }
  return { username, auth_type: authType, ip, created_at: at, ...result }
}

/** A login as administration shows it. Source: wire protocol */
export function loginView({
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
