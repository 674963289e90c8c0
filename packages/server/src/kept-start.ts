import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '@burgee/kit/log/logger'
import { keptFileOf } from './kept-place.ts'
import type { ServerOptions } from './options.ts'
import { TRUSTED_MS } from './services/access/tokens/last-known-tokens.ts'
import type { AwaitedDatabase } from './store/awaited-database.ts'
import { classifyDbError } from './store/errors.ts'
import type { KeptFile } from './store/kept/kept-file.ts'
import type { KeptState } from './store/kept/kept-state.ts'

/** Where a server keeps what SDKs are served from, and what the process before has left there. */
export interface Kept {
  /** Undefined where nothing is to be kept. */
  readonly file: KeptFile | undefined
  readonly state: KeptState | undefined
}

const RETRY_MS = 1000

/** Looks what was kept. Never rejects: what cannot be used is logged, and is as if it were not there. */
export async function readKept(options: ServerOptions, logger: Logger): Promise<Kept> {
  const file = keptFileOf(options)
  try {
    return { file, state: await file?.read() }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    logger.warn(`What was kept for SDKs in ${file?.path} is not used: ${reason}`)
    return { file, state: undefined }
  }
}

/** What the log says at `now`, in milliseconds since 1970, of a start with what was kept. */
export function keptStartText({ asOfMs, mark, tokens }: KeptState, now: number): string {
  const asOf = new Date(asOfMs).toISOString()
  const text = `The database is away: SDKs are served from what was kept on disk as of ${asOf}, event ${mark.id}; administration answers 503`
  const hasToken = tokens.some(({ atMs }) => atMs >= now - TRUSTED_MS)
  return hasToken ? text : `${text}, and SDKs as well: no token of it was used in the day before`
}

/**
 * Does what a start does on a database, once it is there and as often as it takes; undefined where it cannot be done, which
 * is logged. Never rejects.
 */
export async function beginLate<T>(
  db: AwaitedDatabase,
  begin: () => Promise<T>,
  { logger }: { readonly logger: Logger },
): Promise<T | undefined> {
  await db.arrived
  for (;;) {
    try {
      return await begin()
    } catch (error) {
      if (classifyDbError(error) !== 'unavailable') {
        logger.error('What a start does on its database could not be done', error)
        return undefined
      }
      await sleep(RETRY_MS, undefined, { ref: false })
    }
  }
}
