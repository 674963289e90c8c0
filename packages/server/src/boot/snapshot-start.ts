import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '@burgee/kit/log/logger'
import { classifyDbError } from '@burgee/storage/errors'
import type { SnapshotFile } from '@burgee/storage/queries/snapshot/snapshot-file'
import type { LoadedSnapshot } from '@burgee/storage/queries/snapshot/snapshot-state'
import type { ReconnectingDatabase } from '@burgee/storage/reconnecting-database'
import { TRUSTED_MS } from '../core/access/tokens/last-known-tokens.ts'
import type { ServerOptions } from '../core/options/options.ts'
import { createSnapshotFile } from './snapshot-location.ts'

/** Snapshot file, and the state that the previous process left in it. */
export interface PreviousSnapshot {
  /** Undefined if snapshots are disabled. */
  readonly file: SnapshotFile | undefined
  readonly state: LoadedSnapshot | undefined
}

const RETRY_MS = 1000

/** Reads the snapshot. Never rejects: an unusable snapshot is logged and ignored. */
export async function readPreviousSnapshot(options: ServerOptions, logger: Logger): Promise<PreviousSnapshot> {
  const file = createSnapshotFile(options)
  try {
    return { file, state: await file?.read() }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    logger.warn(`What was kept for SDKs in ${file?.path} is not used: ${reason}`)
    return { file, state: undefined }
  }
}

/** Returns the log line for a start from a snapshot; `now` is in milliseconds since 1970. */
export function describeSnapshotStart({ asOfMs, mark, tokens }: LoadedSnapshot, now: number): string {
  const asOf = new Date(asOfMs).toISOString()
  const text = `The database is away: SDKs are served from what was kept on disk as of ${asOf}, event ${mark.id}; administration answers 503`
  const hasToken = tokens.some(({ atMs }) => atMs >= now - TRUSTED_MS)
  return hasToken ? text : `${text}, and SDKs as well: no token of it was used in the day before`
}

/**
 * Runs the start steps as soon as the database can be reached. Retries them while the database is unavailable. Logs any
 * other failure and resolves to undefined. Never rejects.
 */
export async function startWhenReachable<T>(
  db: ReconnectingDatabase,
  begin: () => Promise<T>,
  { logger }: { readonly logger: Logger },
): Promise<T | undefined> {
  await db.opened
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
