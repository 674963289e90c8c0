import type { Logger } from '@burgee/kit/log/logger'
import type { ImportProgress } from '../../admin/transfer/state-import.ts'

/** Number of flags between two progress lines. */
const FLAGS_PER_LINE = 1000

/** Logs the progress of the import of `IMPORT_FILE`, and the flag at which the import failed. */
export class ImportLog {
  readonly #logger: Pick<Logger, 'info' | 'error'>
  #reached: ImportProgress | undefined

  constructor(logger: Pick<Logger, 'info' | 'error'>) {
    this.#logger = logger
  }

  /** Logs a line for every thousand flags. */
  onFlag(progress: ImportProgress): void {
    this.#reached = progress
    const { number, total } = progress
    if (number % FLAGS_PER_LINE === 0) this.#logger.info(`IMPORT_FILE: ${number} of ${total} flags`)
  }

  /** Logs the flag at which the import failed; does nothing if the import failed before the first flag. */
  onFailure(): void {
    if (this.#reached === undefined) return
    const { name, number, total } = this.#reached
    this.#logger.error(`IMPORT_FILE: stopped at flag "${name}", ${number} of ${total}. Nothing was imported`)
  }
}
