import type { FeatureDocument } from '@burgee/serving/document/feature-document'
import type { Installation } from './installation.ts'

/** Something that an installation can be read from: it is only ever read. */
export interface ImportSource {
  /** All at one moment, where the source can. Throws SourceRefused. */
  read(): Promise<Installation>
  /**
   * What SDKs are given there in an environment, of which projects (`['*']` for all), where the source can be asked that;
   * undefined where no token of theirs is known.
   */
  served?(environment: string): Promise<Served | undefined>
  /** Ends connections; until then events and usage of what was read can be gone through. */
  close(): Promise<void>
}

/** A download of SDKs, and of which projects it is. */
export interface Served {
  readonly document: FeatureDocument
  readonly projects: readonly string[]
}

/** Why nothing can be read from there, in words that say what to do. Holds no secret. */
export class SourceRefused extends Error {
  override readonly name = 'SourceRefused'
}
