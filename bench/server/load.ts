import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { askChild } from '../measured-process.ts'

/** A stretch of requests. */
export interface LoadSlice {
  readonly port: number
  /** Requests as bytes, as latin text; after the last one comes the first again. */
  readonly requests: readonly string[]
  /** Which of them comes first; grows beyond their number, so that slices go on where the one before ended. */
  readonly first: number
  readonly durationMs: number
  /** Goes on until so many were answered, however long it takes. */
  readonly leastRequests: number
  readonly connections: number
  /** Responses are counted apart by the place of their request, modulo this. */
  readonly lanes: number
  /** From one request of a connection to the next, in milliseconds; at once where it is left out. */
  readonly everyMs?: number
  /** What is timed; the whole response where it is left out. */
  readonly until?: 'first byte' | 'end'
}

/** What was seen of one lane. Times are in milliseconds. */
export interface Lane {
  readonly requests: number
  readonly p50Ms: number
  readonly p95Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

/** What was seen of a slice. */
export interface LoadResult {
  readonly requests: number
  readonly elapsedMs: number
  readonly lanes: readonly Lane[]
  /** How many responses of each status. */
  readonly statuses: Readonly<Record<string, number>>
  readonly bodyBytes: number
}

/** A process that plays slices, one at a time. */
export interface Load {
  readonly play: (slice: LoadSlice) => Promise<LoadResult>
  readonly stop: () => void
}

/** Starts the process, kept on one core as of `pinnedTo`. */
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
