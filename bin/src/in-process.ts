import type { Logger } from '@burgee/kit/log/logger'
import type { Connection } from '@burgee/proxy/upstream/connection'
import type { BurgeeServer } from '@burgee/server'
import type { ConfigurationListener, ConfigurationSource } from '@burgee/serving/upstream/configuration-source'

/** Which part of a server's features a proxy in the same process serves. */
export interface Scope {
  readonly environment: string
  readonly projects: readonly string[]
}

const RETRY_MS = 1000
/** Each configuration is compiled on the thread that serves everybody. */
const PAUSE_MS = 100

/**
 * A source that reads the server of the same process: at once after a change, ten times a second at most while changes
 * follow each other. A read that fails is repeated until one succeeds; that is logged when it begins and when it ends.
 */
export class ServerSource implements ConfigurationSource {
  readonly #server: BurgeeServer
  readonly #scope: Scope
  readonly #logger: Logger
  #timer: NodeJS.Timeout | undefined
  #isFailing = false
  #unsubscribe: () => void = () => {}
  #isReading = false
  #isStale = false
  #isStopped = false

  constructor(server: BurgeeServer, scope: Scope, logger: Logger) {
    this.#server = server
    this.#scope = scope
    this.#logger = logger
  }

  start(listener: ConfigurationListener): void {
    this.#unsubscribe = this.#server.onChange(() => void this.#read(listener))
    void this.#read(listener)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    this.#unsubscribe()
  }

  /** One read at a time; a change during a read or the pause after it is followed by another read. */
  async #read(listener: ConfigurationListener): Promise<void> {
    this.#isStale = true
    if (this.#isReading) return
    this.#isReading = true
    try {
      while (this.#isStale && !this.#isStopped) {
        this.#isStale = false
        const { document } = await this.#server.features(this.#scope)
        if (this.#isStopped) return
        listener.accept({ ...document, segments: document.segments ?? [] })
        if (this.#isFailing) this.#logger.warn('The features can be read again')
        this.#isFailing = false
        await this.#pause()
      }
    } catch (error) {
      this.#failed(error, listener)
    } finally {
      this.#isReading = false
    }
  }

  /** Goes on for ever where the source stops meanwhile. */
  #pause(): Promise<void> {
    return new Promise((end) => {
      this.#timer = setTimeout(end, PAUSE_MS)
    })
  }

  #failed(error: unknown, listener: ConfigurationListener): void {
    if (this.#isStopped) return
    if (!this.#isFailing) this.#logger.error('The features cannot be read from the server', error)
    this.#isFailing = true
    // health shows it to anybody, so what the database says stays in the log
    listener.fail(new Error('The features cannot be read from the server', { cause: error }))
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#read(listener), RETRY_MS)
  }
}

/** What a proxy brings along. */
interface Connecting extends Pick<Connection, 'profile'> {
  readonly appName: string
  readonly logger: Logger
}

/** Connects a proxy with the server of the same process: changes arrive at once, usage goes to the server's store. */
export function connectServer(server: BurgeeServer, scope: Scope, own: Connecting): Connection {
  const { appName, profile, logger } = own
  return {
    source: new ServerSource(server, scope, logger),
    sink: {
      register: async () => {},
      send: (payload) => server.recordMetrics(scope.environment, appName, payload),
    },
    profile,
    dispatcher: undefined,
    close: async () => {},
  }
}
