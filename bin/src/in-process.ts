import type { Logger } from '@burgee/kit/log/logger'
import { OutageLog } from '@burgee/kit/log/outage-log'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import type { Connection } from '@burgee/proxy/upstream/connection'
import type { BurgeeServer } from '@burgee/server'
import type { ConfigurationListener, ConfigurationSource } from '@burgee/serving/upstream/configuration-source'

/** Part of a server's flags that a proxy in the same process serves. */
export interface Scope {
  readonly environment: string
  readonly projects: readonly string[]
}

const RETRY_MS = 1000
/**
 * Maximum pause between two reads. Compiling blocks the event loop, so each pause is as long as the preceding read, up
 * to this maximum.
 */
const MAX_PAUSE_MS = 100

/**
 * Configuration source that reads from the server in the same process. The source reads after each change. A change is
 * confirmed to its caller only after the new configuration is in use. Changes that arrive during a read are combined
 * into one further read. A failed read is retried until it succeeds. A failure is logged when it begins and when it
 * ends.
 */
export class ServerSource implements ConfigurationSource {
  readonly #server: BurgeeServer
  readonly #scope: Scope
  readonly #outage: OutageLog
  readonly #monotonic: MonotonicClock
  #timer: NodeJS.Timeout | undefined
  #unsubscribe: () => void = () => {}
  /** Settles when the read that was requested last has ended. */
  #last: Promise<void> = Promise.resolve()
  /** Requested read that has not started yet, if any. */
  #next: Promise<void> | undefined
  #pauseEndMs = Number.NEGATIVE_INFINITY
  #endPause: () => void = () => {}
  #isStopped = false

  constructor(
    server: BurgeeServer,
    scope: Scope,
    { logger, monotonic }: Pick<ConnectServerOptions, 'logger' | 'monotonic'>,
  ) {
    this.#server = server
    this.#scope = scope
    this.#outage = new OutageLog({
      begins: (error) => logger.error('Cannot read the features from the server', error),
      ends: () => logger.warn('The features are readable again'),
    })
    this.#monotonic = monotonic
  }

  start(listener: ConfigurationListener): void {
    this.#unsubscribe = this.#server.onChange(() => this.#read(listener))
    void this.#read(listener)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    this.#endPause()
    this.#unsubscribe()
  }

  /** Resolves once a configuration that was read after this call is in use, or the read has failed. Never rejects. */
  #read(listener: ConfigurationListener): Promise<void> {
    this.#next ??= this.#readAfter(this.#last, listener)
    this.#last = this.#next
    return this.#next
  }

  async #readAfter(last: Promise<void>, listener: ConfigurationListener): Promise<void> {
    await last
    await this.#pause()
    this.#next = undefined
    if (this.#isStopped) return
    const beganMs = this.#monotonic()
    try {
      const { document } = await this.#server.features(this.#scope)
      if (this.#isStopped) return
      await listener.accept({ ...document, segments: document.segments ?? [] })
      this.#outage.succeed()
    } catch (error) {
      this.#failed(error, listener)
    }
    const endMs = this.#monotonic()
    this.#pauseEndMs = endMs + Math.min(MAX_PAUSE_MS, endMs - beganMs)
  }

  async #pause(): Promise<void> {
    const leftMs = Math.min(MAX_PAUSE_MS, this.#pauseEndMs - this.#monotonic())
    if (leftMs <= 0 || this.#isStopped) return
    await new Promise<void>((end) => {
      this.#endPause = end
      setTimeout(end, leftMs).unref()
    })
  }

  #failed(error: unknown, listener: ConfigurationListener): void {
    if (this.#isStopped) return
    this.#outage.fail(error)
    // the health route shows this error publicly, so the database's message appears only in the log
    listener.fail(new Error('Cannot read the features from the server', { cause: error }))
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#read(listener), RETRY_MS)
  }
}

/** Parts that a proxy contributes to its connection with the server. */
interface ConnectServerOptions extends Pick<Connection, 'profile'> {
  readonly appName: string
  readonly logger: Logger
  readonly monotonic: MonotonicClock
}

/**
 * Connects a proxy to the server in the same process. Changes reach the proxy at once, and the server stores the
 * proxy's usage.
 */
export function connectServer(server: BurgeeServer, scope: Scope, own: ConnectServerOptions): Connection {
  const { appName, profile } = own
  return {
    source: new ServerSource(server, scope, own),
    sink: {
      register: async () => {},
      send: (payload) => server.recordMetrics(scope, appName, payload),
      sendImpact: (rows) => server.recordImpact(scope, rows),
    },
    profile,
    dispatcher: undefined,
    close: async () => {},
  }
}
