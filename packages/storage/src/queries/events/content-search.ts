import { type Expression, type ExpressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import { chunks } from '../../chunks.ts'
import type { Reader, Schema } from '../../database.ts'
import { isSqlite } from '../../dialect.ts'
import { containsText } from './event-texts.ts'
import { BLOCK_EVENTS, getBlock, SearchTrigrams } from './search-postings.ts'

/**
 * Maximum number of events whose `data` and `preData` are searched without the search index. If more events match the
 * other conditions, only the newest are searched.
 */
export const MAX_SEARCHED_CONTENTS = 10_000
/**
 * Minimum length of a text for `data` and `preData` to be searched as well. A shorter text occurs in almost every
 * event.
 */
export const MIN_CONTENT_LETTERS = 3
/** Maximum number of events that a search in `data` and `preData` finds. */
const MAX_FOUND = 10_000
/** Maximum number of index candidates whose `data` and `preData` are read and compared. */
const MAX_CANDIDATES = 20_000
/**
 * Maximum number of events that are all read one by one; if more events meet the other conditions, the index is used.
 * Up to this number, reading the events is faster than using the index.
 */
const FEW_EVENTS = 1000
/**
 * Number of index blocks that one query looks up. The first query looks up only a few blocks, because a frequent text
 * already occurs in the newest blocks. Later queries look up more blocks, because each query takes a round trip.
 */
const BLOCKS_PER_QUERY = { first: 64, later: 256 }
/**
 * Maximum number of unindexed id ranges that are searched. More ranges than this are unindexed only while the index is
 * being built.
 */
const MAX_RANGES = 10

type Conditions = (eb: ExpressionBuilder<Schema, 'events'>) => Expression<SqlBool>

/** Text to search for in `data` and `preData`, and the events to search. */
export interface ContentSearch {
  readonly text: string
  /** Other conditions that the events must meet. */
  readonly kept: Conditions
  /** True if the conditions require specific column values, so that probably few events match. */
  readonly isNarrow: boolean
  /** If given, only events with a higher id are returned. */
  readonly after: number
  /** If given, only events with a lower id are returned. */
  readonly before: number
}

/** Range of event ids, inclusive. */
interface IdRange {
  readonly from: number
  readonly to: number
}

/** Number of events that are read and searched in one batch. Other requests are served between two batches. */
const LOT = 500

/**
 * Searches the values in `data` and `preData` of events for a text. Ignores case and property names. Returns the ids of
 * the newest matching events, newest first. The search index provides the events that may contain the text. Events that
 * are not yet indexed are read one by one.
 */
export async function findInContents(reader: Reader, search: ContentSearch): Promise<number[]> {
  if (search.text.length < MIN_CONTENT_LETTERS || search.before - search.after < 2) return []
  const blocks = search.isNarrow && (await areFew(reader, search)) ? [] : await indexedBlocks(reader, search)
  const recent = await scanEvents(reader, search, rangesBetween(blocks, search))
  const { found, reached } = await findInBlocks(reader, search, blocks)
  // too many candidates to read: searches the remaining, older events without the index
  const older =
    reached === undefined ? [] : await scanEvents(reader, search, [{ from: search.after + 1, to: reached - 1 }])
  const all = new Set([...recent, ...found, ...older])
  return [...all].sort((a, b) => b - a).slice(0, MAX_FOUND)
}

async function areFew(reader: Reader, { kept, after, before }: ContentSearch): Promise<boolean> {
  const some = reader
    .selectFrom('events')
    .select('id')
    .where(kept)
    .where('id', '>', after)
    .where('id', '<', before)
    .limit(FEW_EVENTS + 1)
  const row = await reader
    .selectFrom(some.as('some'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirst()
  return Number(row?.count ?? 0) <= FEW_EVENTS
}

async function indexedBlocks(reader: Reader, { after, before }: ContentSearch): Promise<number[]> {
  const rows = await reader
    .selectFrom('event_search_blocks')
    .select('block')
    .where('block', '>=', getBlock(after + 1))
    .where('block', '<=', getBlock(before - 1))
    .orderBy('block', 'desc')
    .execute()
  return rows.map(({ block }) => block)
}

/** Returns the searched id ranges that no indexed block covers, newest first. */
function rangesBetween(blocks: readonly number[], { after, before }: ContentSearch): IdRange[] {
  const ranges: IdRange[] = []
  let to = before - 1
  for (const block of blocks) {
    const from = (block + 1) * BLOCK_EVENTS
    if (from <= to) ranges.push({ from, to })
    to = block * BLOCK_EVENTS - 1
  }
  if (to > after) ranges.push({ from: after + 1, to })
  return ranges.slice(0, MAX_RANGES)
}

/** Searches the newest events of the given id ranges by reading the events themselves. */
async function scanEvents(reader: Reader, search: ContentSearch, ranges: readonly IdRange[]): Promise<number[]> {
  if (ranges.length === 0) return []
  const newest = reader
    .selectFrom('events')
    .select('id')
    .where((eb) => eb.and([search.kept(eb), isWithin(eb, ranges)]))
    .orderBy('id', 'desc')
    .limit(MAX_SEARCHED_CONTENTS)
  const oldest = await reader
    .selectFrom(newest.as('newest'))
    .select(({ fn }) => fn.min<number | null>('id').as('id'))
    .executeTakeFirst()
  if (typeof oldest?.id !== 'number') return []
  const found: number[] = []
  let left = clampRanges(ranges, { from: oldest.id, to: search.before })
  while (left.length > 0) {
    const own = left
    const rows = await eventsWith(reader, search.text, (eb) => eb.and([search.kept(eb), isWithin(eb, own)]))
      .orderBy('id', 'desc')
      .limit(LOT)
      .execute()
    found.push(...matching(rows, search.text))
    const last = rows.at(-1)
    if (rows.length < LOT || last === undefined) return found
    left = clampRanges(ranges, { from: oldest.id, to: last.id - 1 })
  }
  return found
}

/**
 * Matches ids by a single pair of bounds: with several lower bounds, SQLite may choose the lowest and scan from the
 * first event.
 */
function isWithin(eb: ExpressionBuilder<Schema, 'events'>, ranges: readonly IdRange[]): Expression<SqlBool> {
  return eb.or(ranges.map(({ from, to }) => eb.between('id', from, to)))
}

function clampRanges(ranges: readonly IdRange[], bounds: IdRange): IdRange[] {
  return ranges
    .map(({ from, to }) => ({ from: Math.max(from, bounds.from), to: Math.min(to, bounds.to) }))
    .filter(({ from, to }) => from <= to)
}

/**
 * Searches indexed blocks, newest first. If the limit of candidates stops the search early, `reached` is the id of the
 * last event that was read.
 */
async function findInBlocks(
  reader: Reader,
  search: ContentSearch,
  blocks: readonly number[],
): Promise<{ readonly found: number[]; readonly reached: number | undefined }> {
  const wanted = new SearchTrigrams(search.text)
  const found: number[] = []
  let waiting: number[] = []
  let lookedAt = 0
  for (const some of splitBlocks(blocks)) {
    const candidates = await candidatesIn(reader, wanted, some)
    // `push(...candidates)` would overflow the stack, because a frequent text has over 100,000 candidates
    waiting = waiting.concat(candidates.filter((id) => id > search.after && id < search.before))
    const isLast = some.at(-1) === blocks.at(-1)
    let next = 0
    while (waiting.length - next >= LOT || (isLast && waiting.length > next)) {
      const lot = waiting.slice(next, next + LOT)
      next += lot.length
      const kept: Conditions = (eb) => eb.and([eb('id', 'in', lot), search.kept(eb)])
      found.push(...matching(await eventsWith(reader, search.text, kept).execute(), search.text))
      lookedAt += lot.length
      if (found.length >= MAX_FOUND) return { found, reached: undefined }
      if (lookedAt >= MAX_CANDIDATES) return { found, reached: lot.at(-1) }
    }
    waiting = waiting.slice(next)
  }
  return { found, reached: undefined }
}

function splitBlocks(blocks: readonly number[]): readonly number[][] {
  const { first, later } = BLOCKS_PER_QUERY
  return [blocks.slice(0, first), ...chunks(blocks.slice(first), later)].filter((part) => part.length > 0)
}

async function candidatesIn(reader: Reader, wanted: SearchTrigrams, blocks: readonly number[]): Promise<number[]> {
  const keys = blocks.flatMap((block) => wanted.keys(block))
  const rows = await reader
    .selectFrom('event_search_postings')
    .select(['key', 'postings'])
    .where('key', 'in', keys)
    .execute()
  const byKey = new Map(rows.map(({ key, postings }) => [key, postings]))
  return blocks.flatMap((block) => wanted.candidates(block, byKey))
}

function eventsWith(reader: Reader, text: string, kept: Conditions) {
  const part = comparablePart(text)
  return reader
    .selectFrom('events')
    .select(['id', 'data', 'pre_data'])
    .where(kept)
    .where((eb) => eb.or([mayHold(reader, eb.ref('data'), part), mayHold(reader, eb.ref('pre_data'), part)]))
}

function matching(
  rows: readonly { readonly id: number; readonly data: unknown; readonly pre_data: unknown }[],
  text: string,
): number[] {
  const wanted = text.toLowerCase()
  const holding = rows.filter((row) => containsText(row.data, wanted) || containsText(row.pre_data, wanted))
  return holding.map(({ id }) => Number(id))
}

/**
 * SQL condition that is true for JSON that may contain the text. Searches only for the part of the text that
 * `comparablePart` returns. If there is no such part, every JSON value except null matches. Converts only ASCII letters
 * to lower case, because a conversion with a linguistic collation takes PostgreSQL seven times as long.
 */
function mayHold(reader: Reader, json: Expression<unknown>, part: string | undefined): RawBuilder<SqlBool> {
  if (part === undefined) return sql<SqlBool>`${json} <> 'null'`
  const text = JSON.stringify(part).slice(1, -1)
  if (isSqlite(reader)) return sql<SqlBool>`instr(lower(${json}), lower(${text})) > 0`
  return sql<SqlBool>`strpos(lower(${json} collate "C"), lower(cast(${text} as text) collate "C")) > 0`
}

/**
 * Returns the part of a text that JavaScript and both databases compare in the same way when they ignore case. The
 * result is the longest run of ASCII characters, or the whole text if it contains no letters that have both cases.
 */
function comparablePart(text: string): string | undefined {
  if (text.toLowerCase() === text.toUpperCase()) return text
  const parts = text.match(/[\x20-\x7e]+/g) ?? []
  return parts.toSorted((a, b) => b.length - a.length)[0]
}
