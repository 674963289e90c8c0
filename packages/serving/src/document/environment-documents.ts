import type { Touched } from './delta.ts'
import type { DocumentRevision, DocumentState } from './environment-document.ts'

/** Hears of a document that has changed; what waits for the change waits for the promise, too. */
export type DocumentListener = (environment: string, state: DocumentState) => void | Promise<void>

/** The documents of all environments that somebody asks for, each kept up to date by whoever has them. */
export interface EnvironmentDocuments {
  /** What an environment is now; a promise only until it was read for the first time, which may reject. */
  of(environment: string): DocumentState | Promise<DocumentState>
  /** What an environment is now as far as it was read; undefined where nobody has asked for it. */
  known(environment: string): DocumentState | undefined
  /**
   * Up to which event a state that `of` gave is complete: whoever has it lacks nothing of what was committed before.
   * Undefined where nobody has asked for the environment.
   */
  completeUpTo(environment: string): DocumentRevision | undefined
  /** Has read what was heard of, as far as it can be read now, once it resolves. Never rejects. */
  settled(environment: string): Promise<void>
  /** What was touched in an environment after an event; undefined where that is not known any more. */
  touchedAfter(environment: string, revision: DocumentRevision): Touched | undefined
  /** Calls after each change of a document; the result ends it. */
  subscribe(listener: DocumentListener): () => void
}
