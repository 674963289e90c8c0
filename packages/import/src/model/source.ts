import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import type { Installation } from './installation.ts'

/** A source that an installation is read from. Never written to. */
export interface ImportSource {
  /** Reads everything, in one snapshot if the source supports it. Throws SourceRefused. */
  read(): Promise<Installation>
  /**
   * Returns what SDKs get from the source in an environment, and the projects that it belongs to (`['*']` for all).
   * Missing if the source cannot provide it; returns undefined if no SDK token is known.
   */
  served?(environment: string): Promise<Served | undefined>
  /** Closes connections. Events and usage of an installation can be read only before that. */
  close(): Promise<void>
}

/** An SDK download, and the projects whose flags it contains. */
export interface Served {
  readonly document: FeatureDocument
  readonly projects: readonly string[]
}

/** Thrown if a source cannot be read. The message tells the user what to do and contains no secrets. */
export class SourceRefused extends Error {
  override readonly name = 'SourceRefused'
}
