import type { Logger } from '@burgee/kit/log/logger'
import type { DocumentState } from './environment-document.ts'
import type { DocumentListener } from './environment-documents.ts'

/** Who hears of documents that change. */
export class DocumentListeners {
  readonly #logger: Logger
  readonly #listeners = new Set<DocumentListener>()

  constructor(logger: Logger) {
    this.#logger = logger
  }

  /** Calls after each change; the result ends it. */
  subscribe(listener: DocumentListener): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Tells all. One that fails is logged and keeps nobody else from hearing. Never rejects. */
  async tell(environment: string, state: DocumentState): Promise<void> {
    const told = [...this.#listeners].map(async (listener) => listener(environment, state))
    for (const result of await Promise.allSettled(told)) {
      if (result.status === 'rejected') this.#logger.error('A listener to documents failed', result.reason)
    }
  }
}
