import type { AddressInfo } from 'node:net'
import { createBoundedServer } from '../http/bounded-servers.ts'
import { DEFAULT_LIMITS } from '../http/connections.ts'
import { Listener } from '../http/listener.ts'
import type { Logger } from '../log/logger.ts'
import type { MonotonicClock } from '../monotonic-clock.ts'
import type { SeriesRegistry } from '../series/series.ts'
import { ConnectionDispatcher } from './connection-dispatcher.ts'
import type { GroupCoordinator } from './group-coordinator.ts'
import type { WorkerChannel } from './messages.ts'
import { WorkerPool, type WorkerProcess } from './worker-pool.ts'

/** How many workers, and how to get one. */
export interface WorkerSupply<Down, Up> {
  readonly count: number
  readonly fork: () => WorkerProcess<WorkerChannel<Down, Up>>
}

/** What a group of processes at one port is made of. */
export interface WorkerGroupDeps<Down, Up> {
  readonly supply: WorkerSupply<Down, Up>
  readonly coordinator: GroupCoordinator<Down, Up>
  /** Where the number of workers is counted. */
  readonly registry: SeriesRegistry
  /** What the names of its series begin with: `burgee_proxy`. */
  readonly seriesPrefix: string
  readonly logger: Logger
  readonly monotonic: MonotonicClock
  /** How long workers may take to end; then they are killed. */
  readonly stopLimitMs: number
  /** Opens the port. Rejects where it is taken. */
  readonly listen: (listener: Listener) => Promise<unknown>
}

/** Several processes that answer at one port, of which this one keeps the others. */
export interface WorkerGroup {
  /** Opens the port and starts the workers; resolves with the port once all of them answer. */
  start(): Promise<number>
  /** Nobody is replaced and nobody is ready any more; listening goes on. */
  drain(): void
  /** Ends listening at once. */
  shut(): void
  /** Resolves when all workers have ended. */
  close(): Promise<void>
}

/** How often the series of workers are read: what a killed worker counted since then is missing in the series. */
const SERIES_INTERVAL_MS = 5000

/** This process alone accepts connections, and hands them to the workers in turn. */
export function createWorkerGroup<Down, Up>(deps: WorkerGroupDeps<Down, Up>): WorkerGroup {
  const { supply, coordinator, registry, seriesPrefix, logger, monotonic, stopLimitMs } = deps
  const dispatcher = new ConnectionDispatcher()
  const pool = new WorkerPool<WorkerChannel<Down, Up>>({
    ...{ ...supply, logger, monotonic, stopLimitMs },
    join: (channel) => {
      const leaves = [coordinator.join(channel), dispatcher.join(channel)]
      return () => {
        for (const leave of leaves) leave()
      }
    },
  })
  registry.gauge(`${seriesPrefix}_workers`, 'Worker processes that are alive.', () => pool.size)
  registry.counterOf(
    `${seriesPrefix}_worker_replacements_total`,
    'Workers that took the place of one that had ended.',
    () => pool.replacements,
  )
  const server = createBoundedServer({
    kind: 'tcp',
    idleTimeoutMs: DEFAULT_LIMITS.headersTimeoutMs,
    connection: (socket) => dispatcher.take(socket),
  })
  const listener = new Listener(server)
  let reading: NodeJS.Timeout | undefined
  return {
    async start() {
      reading = setInterval(() => void coordinator.readSeries(), SERIES_INTERVAL_MS)
      await deps.listen(listener)
      const { port } = server.address() as AddressInfo
      await pool.start()
      return port
    },
    drain() {
      pool.drain()
      coordinator.drain()
    },
    shut() {
      clearInterval(reading)
      // the copies of connections that this process has do not matter
      void listener.close()
    },
    async close() {
      await pool.close()
      dispatcher.close()
    },
  }
}
