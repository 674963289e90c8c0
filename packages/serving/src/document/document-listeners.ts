import type { Logger } from '@burgee/kit/log/logger'
import type { DocumentState } from './environment-document.ts'
import type { DocumentListener } from './environment-documents.ts'

/** Set of functions to call when the document changes. */
export class DocumentListeners {
  readonly #logger: Logger
  readonly #listeners = new Set<DocumentListener>()

  constructor(logger: Logger) {
    this.#logger = logger
  }

  /** Registers a listener, which is called after each change. Returns a function that unsubscribes the listener. */
  subscribe(listener: DocumentListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /**
   * Notifies all listeners. If a listener throws, logs the error and still calls the other listeners. Never rejects.
   */
  async notify(environment: string, state: DocumentState): Promise<void> {
    const notified = [...this.#listeners].map(async (listener) => listener(environment, state))
    for (const result of await Promise.allSettled(notified)) {
      if (result.status === 'rejected') this.#logger.error('A document listener failed', result.reason)
    }
  }
}
