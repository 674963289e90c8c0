import type { Logger } from '@burgee/kit/log/logger'
import type { DocumentState } from './environment-document.ts'

/** Listener that gets the environment of a changed document, and by default its new state. */
export type ChangeListener<Details extends readonly unknown[] = [state: DocumentState]> = (
  environment: string,
  ...details: Details
) => void | Promise<void>

/** Set of functions to call when the document changes. */
export class DocumentListeners<Details extends readonly unknown[] = [state: DocumentState]> {
  readonly #logger: Logger
  readonly #listeners = new Set<ChangeListener<Details>>()

  constructor(logger: Logger) {
    this.#logger = logger
  }

  /** Registers a listener, which is called after each change. Returns a function that unsubscribes the listener. */
  subscribe(listener: ChangeListener<Details>): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /**
   * Notifies all listeners. If a listener throws, logs the error and still calls the other listeners. Never rejects.
   */
  async notify(environment: string, ...details: Details): Promise<void> {
    const notified = [...this.#listeners].map(async (listener) => listener(environment, ...details))
    for (const result of await Promise.allSettled(notified)) {
      if (result.status === 'rejected') this.#logger.error('A document listener failed', result.reason)
    }
  }
}
