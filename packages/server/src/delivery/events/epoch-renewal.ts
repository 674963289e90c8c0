import type { Database } from '@burgee/storage/database'
import { comparePosition, type Position, type PositionComparison } from '@burgee/storage/epochs'

/**
 * Starts a new database epoch if the newest event is older than `seen`, which belongs to the same epoch: the database
 * was then restored while no node was polling.
 */
export async function renewEpochIfBehind(db: Database, seen: Position): Promise<void> {
  const isBehind = ({ epoch, lastId }: PositionComparison) => epoch === seen.epoch && lastId < seen.id
  if (!isBehind(await comparePosition(db.reader, seen))) return
  await db.write(async (tx) => {
    if (isBehind(await comparePosition(tx, seen))) await db.renewEpoch(tx)
  })
}

/**
 * Starts a new database epoch on the first node that detects a restore. All other nodes find that the epoch has already
 * started, and do nothing.
 */
export function startEpoch(db: Database, seen: Position): Promise<void> {
  return db.write(async (tx) => {
    const { epoch, isUnchanged } = await comparePosition(tx, seen)
    if (epoch === '' || (epoch === seen.epoch && !isUnchanged)) await db.renewEpoch(tx)
  })
}
