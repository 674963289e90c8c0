import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from '@burgee/kit/log/logger'

/** Proxy that is embedded in the user's process. */
export interface ProxyApp {
  /**
   * Request handler for any HTTP server: `http.createServer(app.handler)` or `express.use(app.handler)`, before or
   * after a JSON body parser. Answers every request. Unknown routes get 404.
   */
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void
  /** Returns true once the proxy has a configuration. */
  readonly isReady: () => boolean
  /** Logger of the proxy: the custom logger or, if there is none, a logger that writes to standard output. */
  readonly logger: Logger
  /**
   * Reloads client keys, the upstream token and server tokens from options and environment, and applies them
   * immediately. Throws OptionsError if any secret is invalid; all current secrets then remain in use.
   */
  reloadSecrets(): void
  /** Reports the proxy as not ready, and sends `Connection: close` with every reply. Requests are still answered. */
  drain(): void
  close(): Promise<void>
}

/** Proxy that listens on its own port. */
export interface StartedProxy extends ProxyApp {
  readonly port: number
  /** Configured time between `drain` and `close`, in seconds. */
  readonly shutdownDelay: number
}
