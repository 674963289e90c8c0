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

/** Number of workers, and the function that starts a worker process. */
export interface WorkerSupply<Down, Up> {
  readonly count: number
  readonly fork: () => WorkerProcess<WorkerChannel<Down, Up>>
}

/** Dependencies of a worker group. */
export interface WorkerGroupDeps<Down, Up> {
  readonly supply: WorkerSupply<Down, Up>
  readonly coordinator: GroupCoordinator<Down, Up>
  /** Registry for metrics about workers. */
  readonly registry: SeriesRegistry
  /** Prefix of metric names, such as `burgee_proxy`. */
  readonly seriesPrefix: string
  readonly logger: Logger
  readonly monotonic: MonotonicClock
  /** Time in milliseconds within which workers must stop. Workers that take longer are killed. */
  readonly stopLimitMs: number
  /** Opens the port. Starts listening; rejects if the port is already in use. */
  readonly listen: (listener: Listener) => Promise<unknown>
}

/** Several worker processes that serve one port; this process manages them. */
export interface WorkerGroup {
  /** Opens the port and starts the workers. Resolves with the port once all workers are ready. */
  start(): Promise<number>
  /** Stops replacing workers, and reports "not ready" while continuing to listen. */
  drain(): void
  /** Stops listening immediately. */
  shut(): void
  /** Resolves when all workers have exited. */
  close(): Promise<void>
}

/**
 * Interval in milliseconds at which the metrics of workers are collected. If a worker is killed, its counts since the
 * last collection are lost.
 */
const SERIES_INTERVAL_MS = 5000

/**
 * Creates a worker group. Only this process accepts connections. It hands the connections to the workers in round-robin
 * order.
 */
export function createWorkerGroup<Down, Up>(deps: WorkerGroupDeps<Down, Up>): WorkerGroup {
  const { supply, coordinator, registry, seriesPrefix, logger, monotonic, stopLimitMs } = deps
  const dispatcher = new ConnectionDispatcher()
  const pool = new WorkerPool<WorkerChannel<Down, Up>>({
    ...supply,
    logger,
    monotonic,
    stopLimitMs,
    join: (channel) => {
      const leaves = [coordinator.join(channel), dispatcher.join(channel)]
      return () => {
        for (const leave of leaves) leave()
      }
    },
  })
  registry.gauge(`${seriesPrefix}_workers`, 'Live worker processes.', () => pool.size)
  registry.observableCounter(
    `${seriesPrefix}_worker_replacements_total`,
    'Workers started to replace ended workers.',
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
      // not awaited, because the copies of connections in this process may stay open
      void listener.close()
    },
    async close() {
      await pool.close()
      dispatcher.close()
    },
  }
}
