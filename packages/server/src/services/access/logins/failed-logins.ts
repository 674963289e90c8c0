import { addFailedLogins } from '../../../store/access/users.ts'
import { record } from '../../execute.ts'
import type { World } from '../../world.ts'

/** Counts logins with a wrong password, by user. */
export interface FailedLogins {
  /**
   * Notes one, and begins to write it. Returns at once: a reply that waited for the write would come later for names of
   * somebody than for names of nobody, and tell by that who has an account.
   */
  note(userId: number): void
  /** Ends once all that were noted before are written, or could not be. */
  settled(): Promise<void>
}

/**
 * Writes failures one after the other; those that come meanwhile go together, so that a flood costs one write at a
 * time. What cannot be written is kept for the next one. Only users that there are are noted, so that nothing grows.
 */
export function createFailedLogins(world: World): FailedLogins {
  let waiting = new Map<number, number>()
  let writing: Promise<void> = Promise.resolve()
  const write = async (): Promise<void> => {
    if (waiting.size === 0) return
    const failures = waiting
    waiting = new Map()
    try {
      await record(world, (tx) => addFailedLogins(tx, failures))
      world.debug?.(`Failed logins are written, of ${failures.size} user${failures.size === 1 ? '' : 's'}`)
    } catch (error) {
      world.logger.warn('Failed logins could not be counted; they are with the next one', error)
      for (const [id, more] of failures) waiting.set(id, (waiting.get(id) ?? 0) + more)
    }
  }
  return {
    note(userId) {
      waiting.set(userId, (waiting.get(userId) ?? 0) + 1)
      writing = writing.then(write)
    },
    settled: () => writing,
  }
}
