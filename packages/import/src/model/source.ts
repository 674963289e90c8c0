import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import type { Installation } from './installation.ts'

/** Service or file from which an installation is read. An import never changes the source. */
export interface ImportSource {
  /** Reads everything, in one snapshot if the source supports it. Throws SourceRefused. */
  read(): Promise<Installation>
  /**
   * Returns the source's SDK download for an environment, and the projects whose flags it contains (`['*']` for all).
   * Sources that cannot provide the download do not implement this method. Returns undefined if no SDK token for the
   * environment is known.
   */
  served?(environment: string): Promise<Served | undefined>
  /** Closes connections. Closes the source; events and usage counts can no longer be read afterwards. */
  close(): Promise<void>
}

/** An SDK download, and the projects whose flags it contains. */
export interface Served {
  readonly document: FeatureDocument
  readonly projects: readonly string[]
}

/** Error for a source that cannot be read. The message explains what the user can do and contains no secrets. */
export class SourceRefused extends Error {
  override readonly name = 'SourceRefused'
}
