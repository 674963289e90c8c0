import { AsyncLocalStorage } from 'node:async_hooks'

/** Counts queries of some work, and no others: what a server asks by itself belongs to nobody. */
export interface QueryCounter {
  /** For the server. */
  readonly onQuery: (text: string) => void
  /** How many queries the work makes until it has ended. */
  count(work: () => Promise<unknown>): Promise<number>
}

/** A counter for any number of servers. */
export function queryCounter(): QueryCounter {
  const own = new AsyncLocalStorage<{ queries: number }>()
  return {
    onQuery: (text) => {
      const counting = own.getStore()
      // nobody waits for the end of a read: it may come when the work has ended
      if (text.toLowerCase() === 'rollback') return
      if (counting !== undefined) counting.queries += 1
    },
    async count(work) {
      const counting = { queries: 0 }
      // awaited within: a request that is injected begins when somebody waits for it
      await own.run(counting, async () => await work())
      return counting.queries
    },
  }
}
