import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { askChild } from '../measured-process.ts'

/** Series of requests. */
export interface LoadSlice {
  readonly port: number
  /** Requests as Latin-1 text, repeated in order. */
  readonly requests: readonly string[]
  /**
   * Number of the first request, counted across slices, so that a slice can continue where another one ended. It may
   * exceed the length of `requests`.
   */
  readonly first: number
  readonly durationMs: number
  /** Minimum number of responses; the slice continues until it is reached. */
  readonly leastRequests: number
  readonly connections: number
  /**
   * Number of lanes. Number of groups (lanes) with separate results; a request belongs to the lane given by its number
   * modulo this number.
   */
  readonly lanes: number
  /**
   * Interval between requests of a connection in milliseconds. Without an interval, each request follows the previous
   * response at once.
   */
  readonly everyMs?: number
  /** End of the timed interval; by default, the end of the response. */
  readonly until?: 'first byte' | 'end'
}

/** Results of one lane. Times are in milliseconds. */
export interface Lane {
  readonly requests: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

/** Results of a slice. */
export interface LoadResult {
  readonly requests: number
  readonly elapsedMs: number
  readonly lanes: readonly Lane[]
  /** Number of responses by status. */
  readonly statuses: Readonly<Record<string, number>>
  readonly bodyBytes: number
}

/** Process that sends the requests of slices, one slice at a time. */
export interface Load {
  readonly play: (slice: LoadSlice) => Promise<LoadResult>
  readonly stop: () => void
}

/** Starts the process that sends the load. `pin` is the command that binds it to a core, from `pinnedTo`. */
export function startLoad(pin: readonly string[]): Load {
  const [command = process.execPath, ...args] = [...pin, process.execPath]
  const child = fork(fileURLToPath(new URL('load-process.ts', import.meta.url)), {
    execPath: command,
    execArgv: [...args, '--conditions=source'],
  })
  return {
    play: async (slice) => {
      const result = (await askChild(child, slice)) as LoadResult | { readonly failed: string }
      if ('failed' in result) throw new Error(`The load failed: ${result.failed}`)
      return result
    },
    stop: () => child.kill(),
  }
}
