import type { Reader } from './database.ts'

/**
 * State of a database: its epoch and its last event. Ids of different epochs cannot be compared, because the same id
 * stands for different changes.
 */
export interface Revision {
  /** Random; changes with every restore. */
  readonly epoch: string
  /** Id of the last event; 0 before the first. */
  readonly id: number
}

/** Revision that can be verified later: in another epoch, the event with the same id has another creation time. */
export interface Mark extends Revision {
  /** Creation time of the event in milliseconds since 1970; null before the first. */
  readonly madeAt: number | null
}

/** Returns the revision of one environment's SDK download, which is the last event that changed it, in one query. */
export async function revisionOf(reader: Reader, environment: string): Promise<Revision> {
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

/** Returns the current state of the database; the epoch is '' if it was removed. */
export async function currentMark(reader: Reader): Promise<Mark> {
  const now = await reader.selectFrom('database_epoch').select('epoch').orderBy('epoch').executeTakeFirst()
  const last = await reader
    .selectFrom('events')
    .select(['id', 'created_at'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { epoch: now?.epoch ?? '', id: last?.id ?? 0, madeAt: last?.created_at ?? null }
}

/** Current state, compared with an earlier one. */
export interface Sequel {
  readonly epoch: string
  /** Id of the last event now. */
  readonly lastId: number
  /** True if the event of the earlier state is still there unchanged; otherwise, the database was set back. */
  readonly isKept: boolean
}

/** Compares the current state with an earlier one, in one query. */
export async function sequelOf(reader: Reader, { id, madeAt }: Mark): Promise<Sequel> {
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
  if (row === undefined) return { epoch: '', lastId: 0, isKept: false }
  return { epoch: row.epoch, lastId: row.lastId ?? 0, isKept: row.madeAt === madeAt }
}
