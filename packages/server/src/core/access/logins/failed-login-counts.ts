import { addFailedLogins } from '@burgee/storage/queries/access/users'
import { record } from '../../execute.ts'
import type { World } from '../../world.ts'

/** Counts logins with a wrong password for each user. */
export interface FailedLogins {
  /**
   * Records a failure and starts to write it. Does not wait for the write, because a delay that occurs only for
   * existing accounts would reveal which accounts exist.
   */
  record(userId: number): void
  /** Resolves once every failure recorded before the call has been written or could not be written. */
  settled(): Promise<void>
}

/**
 * Creates the counter. Writes run one at a time; failures recorded during a write are batched, so a flood causes one
 * write at a time. Failures that cannot be written are retried when the next failure is recorded. Only existing users
 * are recorded, which bounds the memory.
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
      world.debug?.(`Wrote failed logins of ${failures.size} user${failures.size === 1 ? '' : 's'}`)
    } catch (error) {
      world.logger.warn('Cannot count failed logins; they will be counted with the next one', error)
      for (const [id, more] of failures) waiting.set(id, (waiting.get(id) ?? 0) + more)
    }
  }
  return {
    record(userId) {
      waiting.set(userId, (waiting.get(userId) ?? 0) + 1)
      writing = writing.then(write)
    },
    settled: () => writing,
  }
}
