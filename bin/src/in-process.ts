import type { Connection } from '@burgee/proxy/connection'
import type { Source, SourceListener } from '@burgee/proxy/source'
import type { BurgeeServer } from '@burgee/server'

/** Which part of a server's features a proxy in the same process serves. */
export interface Scope {
  readonly environment: string
  readonly projects: readonly string[]
}

/** A source that reads the server of the same process, at once after each change. */
export class ServerSource implements Source {
  readonly #server: BurgeeServer
  readonly #scope: Scope
  #unsubscribe: () => void = () => {}
  #isReading = false
  #isStale = false
  #isStopped = false

  constructor(server: BurgeeServer, scope: Scope) {
    this.#server = server
    this.#scope = scope
  }

  start(listener: SourceListener): void {
    this.#unsubscribe = this.#server.onChange(() => void this.#read(listener))
    void this.#read(listener)
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#unsubscribe()
  }

  /** One read at a time; a change during a read is followed by another read. */
  async #read(listener: SourceListener): Promise<void> {
    this.#isStale = true
    if (this.#isReading) return
    this.#isReading = true
    try {
      while (this.#isStale && !this.#isStopped) {
        this.#isStale = false
        const { document } = await this.#server.features(this.#scope)
        if (!this.#isStopped) listener.accept({ ...document, segments: document.segments ?? [] })
      }
    } catch (error) {
      listener.fail(error instanceof Error ? error : new Error(String(error)))
    } finally {
      this.#isReading = false
    }
  }
}

/** Connects a proxy with the server of the same process: changes arrive at once, usage goes to the server's store. */
export function connectServer(server: BurgeeServer, scope: Scope, appName: string): Connection {
  return {
    source: new ServerSource(server, scope),
    sink: {
      register: async () => {},
      send: (payload) => server.recordMetrics(scope.environment, appName, payload),
    },
    dispatcher: undefined,
    close: async () => {},
  }
}
