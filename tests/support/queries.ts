import { AsyncLocalStorage } from 'node:async_hooks'

/** Counts the queries of one operation, ignoring the server's background queries. */
export interface QueryCounter {
  /** Callback to pass to the server. */
  readonly onQuery: (text: string) => void
  /** Runs the operation and returns the number of queries that it makes before it ends. */
  count(work: () => Promise<unknown>): Promise<number>
}

/** Creates a counter for any number of servers. */
export function queryCounter(): QueryCounter {
  const own = new AsyncLocalStorage<{ queries: number }>()
  return {
    onQuery: (text) => {
      const counting = own.getStore()
      // not counted, because nothing waits for the end of a read, which may come after the operation
      if (text.toLowerCase() === 'rollback') return
      if (counting !== undefined) counting.queries += 1
    },
    async count(work) {
      const counting = { queries: 0 }
      // awaited here, because an injected request starts only when it is awaited
      await own.run(counting, async () => await work())
      return counting.queries
    },
  }
}
