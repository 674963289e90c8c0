import type { TouchedItems } from './document-delta.ts'
import type { DocumentRevision, DocumentState } from './environment-document.ts'

/**
 * Listener that is called after a document has changed. The change is complete only when the returned promise has
 * settled.
 */
export type DocumentListener = (environment: string) => void | Promise<void>

/** The documents of all environments in use, kept up to date by the implementation. */
export interface EnvironmentDocuments {
  /**
   * Returns the current state of an environment. Until the environment is first loaded, returns a promise instead,
   * which rejects if loading fails.
   */
  get(environment: string): DocumentState | Promise<DocumentState>
  /** Returns the current state, or undefined if the environment is not loaded. */
  peek(environment: string): DocumentState | undefined
  /**
   * Returns the last event up to which the state from `get` is complete: the state includes every change committed
   * before that event. Returns undefined if no caller has requested the environment yet.
   */
  completeUpTo(environment: string): DocumentRevision | undefined
  /**
   * Resolves once every change known at the time of the call has been loaded, or could not be loaded. Never rejects.
   */
  settled(environment: string): Promise<void>
  /**
   * Returns the flags and segments of an environment that may have changed after a revision, or undefined if the
   * changes are no longer known.
   */
  findTouchedSince(environment: string, revision: DocumentRevision): TouchedItems | undefined
  /** Calls the listener after each change to a document. Returns a function that unsubscribes the listener. */
  subscribe(listener: DocumentListener): () => void
}
