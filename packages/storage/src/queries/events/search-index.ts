import { sql } from 'kysely'
import { chunks } from '../../chunks.ts'
import type { Database, Reader, Tx } from '../../database.ts'
import { isSqlite } from '../../dialect.ts'
import { BLOCK_EVENTS, BlockPostings, firstKey, getBlock } from './search-postings.ts'

/**
 * Maximum number of events, and maximum number of characters of their JSON, that are read and indexed without a pause.
 */
const MAX_READ = { events: 100, characters: 262_144 }
const ROWS_PER_STATEMENT = 256

/** Controls a pass that indexes events. */
export interface IndexPass {
  /** Awaited after each step, so that other work can run. */
  readonly pause: () => Promise<void>
  readonly isStopped: () => boolean
}

/**
 * Outcome of indexing a block. `indexed`: the index was written. `present`: another node has already indexed the block.
 * `changed`: events of the block were deleted while it was read.
 */
export type BlockOutcome = 'indexed' | 'present' | 'changed' | 'stopped'

/**
 * PostgreSQL lock for adding blocks to the index and removing blocks from it. Without the lock, a block could be
 * written that contains events another transaction is deleting. SQLite needs no lock, because it has only one writer.
 */
const INDEX_LOCK = sql`select pg_advisory_xact_lock(1112888903, 3)`

/** Returns the blocks whose events all exist but that are not yet indexed, newest first. */
export async function missingBlocks(reader: Reader): Promise<number[]> {
  const range = await reader
    .selectFrom('events')
    .select(({ fn }) => [fn.min<number | null>('id').as('first'), fn.max<number | null>('id').as('last')])
    .executeTakeFirst()
  if (typeof range?.first !== 'number' || typeof range.last !== 'number') return []
  const first = getBlock(range.first)
  const rows = await reader.selectFrom('event_search_blocks').select('block').where('block', '>=', first).execute()
  const indexed = new Set(rows.map(({ block }) => block))
  const missing: number[] = []
  // ids ascend in commit order, so a block is complete once an event of a later block exists
  for (let block = getBlock(range.last) - 1; block >= first; block -= 1) if (!indexed.has(block)) missing.push(block)
  return missing
}

/**
 * Indexes one block: reads its events in small parts, then writes the index in one transaction. If several nodes index
 * the same block, only one of them writes.
 */
export async function indexBlock(
  db: Pick<Database, 'count' | 'scan'>,
  block: number,
  { pause, isStopped }: IndexPass,
): Promise<BlockOutcome> {
  const postings = new BlockPostings()
  const sizes = await db.scan((reader) => readSizes(reader, block))
  for (const part of partsBySize(sizes)) {
    if (isStopped()) return 'stopped'
    const rows = await db.scan((reader) => readContents(reader, part))
    for (const { id, data, pre_data } of rows) postings.add(id, [data, pre_data])
    await pause()
  }
  const rows = postings.rows(block)
  return db.count((tx) => writeBlock(tx, { block, rows, events: sizes.length }))
}

interface SizedEvent {
  readonly id: number
  readonly characters: number
}

async function readSizes(reader: Reader, block: number): Promise<SizedEvent[]> {
  const rows = await reader
    .selectFrom('events')
    .select(['id', sql<number>`coalesce(length(data), 0) + coalesce(length(pre_data), 0)`.as('characters')])
    .where('id', '>=', block * BLOCK_EVENTS)
    .where('id', '<', (block + 1) * BLOCK_EVENTS)
    .orderBy('id')
    .execute()
  return rows.map(({ id, characters }) => ({ id, characters: Number(characters) }))
}

function partsBySize(events: readonly SizedEvent[]): SizedEvent[][] {
  const parts: SizedEvent[][] = []
  let characters = 0
  for (const event of events) {
    const part = parts.at(-1)
    const isFull =
      part === undefined || part.length === MAX_READ.events || characters + event.characters > MAX_READ.characters
    if (isFull) parts.push([event])
    else part.push(event)
    characters = isFull ? event.characters : characters + event.characters
  }
  return parts
}

function readContents(reader: Reader, part: readonly SizedEvent[]) {
  return reader
    .selectFrom('events')
    .select(['id', 'data', 'pre_data'])
    .where('id', '>=', part[0]?.id ?? 0)
    .where('id', '<=', part.at(-1)?.id ?? 0)
    .orderBy('id')
    .execute()
}

interface BlockRows {
  readonly block: number
  readonly rows: readonly { readonly key: number; readonly postings: string }[]
  readonly events: number
}

/**
 * Writes a block. Writes nothing if the block is already indexed, or if some of its events were deleted after they were
 * read.
 */
async function writeBlock(tx: Tx, { block, rows, events }: BlockRows): Promise<BlockOutcome> {
  await lockIndex(tx)
  const now = await tx
    .selectFrom('events')
    .select(({ fn }) => fn.countAll<number>().as('events'))
    .where('id', '>=', block * BLOCK_EVENTS)
    .where('id', '<', (block + 1) * BLOCK_EVENTS)
    .executeTakeFirst()
  if (Number(now?.events ?? 0) !== events) return 'changed'
  const known = await tx.selectFrom('event_search_blocks').select('block').where('block', '=', block).executeTakeFirst()
  if (known !== undefined) return 'present'
  await tx.insertInto('event_search_blocks').values({ block, events }).execute()
  for (const part of chunks(rows, ROWS_PER_STATEMENT)) {
    await tx.insertInto('event_search_postings').values(part).execute()
  }
  return 'indexed'
}

async function lockIndex(tx: Tx): Promise<void> {
  if (!isSqlite(tx)) await INDEX_LOCK.execute(tx)
}

/**
 * Removes the blocks that contain deleted events from the search index, in the transaction that deletes the events. The
 * remaining events of these blocks are indexed again later.
 */
export async function dropBlocks(tx: Tx, eventIds: readonly number[]): Promise<void> {
  if (eventIds.length === 0) return
  await lockIndex(tx)
  for (const block of new Set(eventIds.map(getBlock))) {
    await tx.deleteFrom('event_search_blocks').where('block', '=', block).execute()
    await tx
      .deleteFrom('event_search_postings')
      .where('key', '>=', firstKey(block))
      .where('key', '<', firstKey(block + 1))
      .execute()
  }
}

/** Empties the search index, for changes that assign new ids to events. */
export async function dropAllBlocks(tx: Tx): Promise<void> {
  await lockIndex(tx)
  await tx.deleteFrom('event_search_blocks').execute()
  await tx.deleteFrom('event_search_postings').execute()
}
