import type { TouchedItems } from './document-delta.ts'
import type { DocumentRevision, DocumentState } from './environment-document.ts'

/**
 * Listener that is called after a document has changed. The change does not complete until the returned promise
 * settles.
 */
export type DocumentListener = (environment: string, state: DocumentState) => void | Promise<void>

/** The documents of all environments in use, kept up to date by the implementation. */
export interface EnvironmentDocuments {
  /**
   * Returns the current state of an environment, or a promise of it until the environment is first loaded. The promise
   * rejects if loading fails.
   */
  get(environment: string): DocumentState | Promise<DocumentState>
  /** Returns the current state as far as it has been loaded, or undefined if the environment was never requested. */
  peek(environment: string): DocumentState | undefined
  /**
   * Returns the last event up to which the state from `of` is complete: the state includes everything committed before
   * that event. Undefined if the environment was never requested.
   */
  completeUpTo(environment: string): DocumentRevision | undefined
  /** Resolves once all changes known so far have been loaded or could not be loaded. Never rejects. */
  settled(environment: string): Promise<void>
  /**
   * Returns the flags and segments of an environment that may have changed after a revision, or undefined if they are
   * no longer known.
   */
  findTouchedSince(environment: string, revision: DocumentRevision): TouchedItems | undefined
  /** Calls the listener after each change of a document. Returns a function that unsubscribes it. */
  subscribe(listener: DocumentListener): () => void
}
