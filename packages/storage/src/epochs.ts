import type { Reader } from './database.ts'

/**
 * State of a database, described by its epoch and its last event. Event ids from different epochs cannot be compared,
 * because the same id can belong to different events.
 */
export interface Revision {
  /** Random id that identifies the epoch. Each restore of the database changes the id. */
  readonly epoch: string
  /** Id of the last event; 0 if there are no events yet. */
  readonly id: number
}

/**
 * Revision with the creation time of its event, which makes it possible to verify the revision later: after a restore,
 * an event with the same id has another creation time.
 */
export interface Position extends Revision {
  /** Creation time of the last event in milliseconds since 1970; null if there are no events. */
  readonly madeAt: number | null
}

/**
 * Returns the revision of what SDKs download for an environment: the last event that changed this download. Takes one
 * query.
 */
export async function readRevision(reader: Reader, environment: string): Promise<Revision> {
  const row = await reader
    .selectFrom('events')
    .select(({ fn, selectFrom }) => [
      fn.max<number | null>('id').as('id'),
      selectFrom('database_epoch')
        .select(({ fn }) => fn.min('epoch').as('epoch'))
        .as('epoch'),
    ])
    .where('reach', 'in', ['', environment])
    .executeTakeFirst()
  return { epoch: row?.epoch ?? '', id: row?.id ?? 0 }
}

/** Returns the current state of the database. The epoch is '' if the row that contains it was removed. */
export async function readPosition(reader: Reader): Promise<Position> {
  const { epoch } = await readEpoch(reader)
  const last = await reader
    .selectFrom('events')
    .select(['id', 'created_at'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { epoch, id: last?.id ?? 0, madeAt: last?.created_at ?? null }
}

/** Returns the database epoch; '' if the row that contains it was removed. */
export async function readEpoch(reader: Reader): Promise<Pick<Revision, 'epoch'>> {
  const row = await reader.selectFrom('database_epoch').select('epoch').orderBy('epoch').executeTakeFirst()
  return { epoch: row?.epoch ?? '' }
}

/** Result of comparing the current state of the database with an earlier state. */
export interface PositionComparison {
  readonly epoch: string
  /** Id of the event that is now the last. */
  readonly lastId: number
  /**
   * True if the last event of the earlier state still exists unchanged. Otherwise, the database was reset to an older
   * state.
   */
  readonly isUnchanged: boolean
}

/** Compares the current state of the database with an earlier one, in a single query. */
export async function comparePosition(reader: Reader, { id, madeAt }: Position): Promise<PositionComparison> {
  const row = await reader
    .selectFrom('database_epoch')
    .select(({ selectFrom }) => [
      'epoch',
      selectFrom('events')
        .select(({ fn }) => fn.max<number | null>('id').as('id'))
        .as('lastId'),
      selectFrom('events').select('created_at').where('id', '=', id).as('madeAt'),
    ])
    .orderBy('epoch')
    .executeTakeFirst()
  if (row === undefined) return { epoch: '', lastId: 0, isUnchanged: false }
  return { epoch: row.epoch, lastId: row.lastId ?? 0, isUnchanged: row.madeAt === madeAt }
}
