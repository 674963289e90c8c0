import { createKeyedMutex } from '@burgee/kit/keyed-mutex'
import { Problem } from '@burgee/protocol/problem'

/** Maximum number of waiting and running requests per user. Each request holds its files in memory. */
const MAX_WAITING_PLANS_OF_USER = 3
/** Maximum number of waiting and running requests of all users. */
const MAX_WAITING_PLANS = 12
const RETRY_AFTER_SECONDS = '5'

/** Queue of requests that plan or apply files. */
export interface PlanQueue {
  /**
   * Runs a task after the earlier tasks of the same user. Throws RateLimitError if too many tasks are waiting or
   * running.
   */
  readonly run: <T>(user: string, work: () => Promise<T>) => Promise<T>
}

/** Creates the queue. Tasks of the same user run one after another, tasks of different users concurrently. */
export function createPlanQueue(): PlanQueue {
  const inTurn = createKeyedMutex<string>()
  const waiting = new Map<string, number>()
  let total = 0
  const add = (user: string, change: 1 | -1): void => {
    const count = (waiting.get(user) ?? 0) + change
    total += change
    if (count === 0) waiting.delete(user)
    else waiting.set(user, count)
  }
  return {
    run: async (user, work) => {
      if ((waiting.get(user) ?? 0) >= MAX_WAITING_PLANS_OF_USER || total >= MAX_WAITING_PLANS) {
        throw new Problem('RateLimitError', 'Too many plans are being made: try again later.', {
          headers: { 'retry-after': RETRY_AFTER_SECONDS },
        })
      }
      add(user, 1)
      try {
        return await inTurn(user, work)
      } finally {
        add(user, -1)
      }
    },
  }
}
