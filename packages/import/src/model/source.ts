import type { Installation } from './installation.ts'

/** Something that an installation can be read from: it is only ever read. */
export interface ImportSource {
  /** All at one moment, where the source can. Throws SourceRefused. */
  read(): Promise<Installation>
  /** Ends connections; until then events and usage of what was read can be gone through. */
  close(): Promise<void>
}

/** Why nothing can be read from there, in words that say what to do. Holds no secret. */
export class SourceRefused extends Error {
  override readonly name = 'SourceRefused'
}
