import type { Reader } from './database.ts'

/**
 * A state of a database: in which of its lives, and after which event. Ids of different lives cannot be compared, for
 * the same number stands for other changes there.
 */
export interface Revision {
  /** Random; another one after every restore. */
  readonly epoch: string
  /** Of the last event; 0 before the first. */
  readonly id: number
}

/** A revision that can be found again: in another life, the event of the same number was made at another time. */
export interface Mark extends Revision {
  /** When the event was made, in milliseconds since 1970; null before the first. */
  readonly madeAt: number | null
}

/** The revision of what SDKs of one environment download: the last event that changed it, in one query. */
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

/** What the database holds now; epoch '' where somebody removed it. */
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

/** What became of a state that was seen before. */
export interface Sequel {
  readonly epoch: string
  /** Of the last event now. */
  readonly lastId: number
  /** Whether the event of that state is still there, as it was; if not, the database was set back. */
  readonly isKept: boolean
}

/** Looks what became of a state, in one query. */
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
