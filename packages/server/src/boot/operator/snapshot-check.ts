import { stat } from 'node:fs/promises'
import { SnapshotRefused } from '@burgee/storage/queries/snapshot/snapshot-file'
import type { ServerOptions } from '../../core/options/options.ts'
import { createSnapshotFile } from '../snapshot-location.ts'
import type { Finding } from './check.ts'

const DAY_MS = 86_400_000
const OTHERS_MODE = 0o007

/** Checks whether the server could serve SDKs from the snapshot on disk if it started without its database. */
export async function checkSnapshot(options: ServerOptions, now: number): Promise<Finding> {
  const file = createSnapshotFile(options)
  if (file === undefined)
    return { status: 'warn', detail: 'snapshots are disabled (KEEP_DOCUMENTS), so a start needs the database' }
  try {
    const state = await file.read()
    if (state === undefined) return { status: 'ok', detail: `${file.path} does not exist yet; a server writes it` }
    const what = `${file.path} is intact, as of ${new Date(state.asOfMs).toISOString()}`
    const { mode } = await stat(file.path)
    if ((mode & OTHERS_MODE) !== 0)
      return { status: 'warn', detail: `${what}, and other users of this machine can read it: chmod o= it` }
    if (state.asOfMs > now - DAY_MS) return { status: 'ok', detail: what }
    return { status: 'warn', detail: `${what}: it is too old for its tokens to be trusted` }
  } catch (error) {
    if (error instanceof SnapshotRefused)
      return { status: 'warn', detail: `${file.path} is not used: ${error.message}` }
    throw error
  }
}
