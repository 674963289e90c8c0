import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Reader } from '@burgee/storage/database'
import { EventNames } from '@burgee/storage/queries/events/event-names'
import { type EventFilter, searchEvents } from '@burgee/storage/queries/events/event-search'
import { indexBlock, missingBlocks } from '@burgee/storage/queries/events/search-index'
import { sql } from 'kysely'
import { featureName } from '../seed.ts'
import { median } from '../statistics.ts'

/** Text to search for, and the kind of search that it represents. */
export interface SearchedText {
  readonly title: string
  readonly filter: Partial<EventFilter>
}

/** Times of one search in milliseconds, and the number of events that it finds. */
export interface SearchTimes {
  readonly title: string
  readonly indexed: { readonly p50: number; readonly p99: number; readonly total: number }
  readonly scanned: { readonly p50: number; readonly p99: number; readonly total: number }
}

/** Times of a filter in milliseconds, and the number of events that it finds. */
export interface FilterTimes {
  readonly title: string
  readonly p50: number
  readonly p99: number
  readonly total: number
}

/** Time to build the index, and the longest step on the event loop, in milliseconds. */
export interface BuildTimes {
  readonly seconds: number
  readonly longestStepMs: number
  readonly blocks: number
}

const ROUNDS = 20
const PAUSE_MS = 10
const ROWS_AT_ONCE = 1000
const ROWS_PER_TRANSACTION = 20_000
const FEATURES = 10_000
const START = Date.UTC(2026, 0, 1)
/** One in this many events names a rare e-mail address. */
const RARE = 250_000
/**
 * Offset that is added to the block numbers of the index, so that searches do not find the blocks, and subtracted
 * again.
 */
const FAR_BLOCKS = 1_000_000
const ALL: EventFilter = { columns: [], hidden: [], withAddress: false, limit: 100, offset: 0 }

const TEXTS: readonly SearchedText[] = [
  { title: 'rare (4 events)', filter: { text: 'grace.hopper@navy.example' } },
  { title: 'one event', filter: { text: 'user-123456@' } },
  { title: 'some (1 in 1,000)', filter: { text: 'group-777@' } },
  { title: 'frequent (every event)', filter: { text: 'gradual rollout' } },
  { title: 'absent', filter: { text: 'no such address@' } },
  { title: 'absent, of frequent parts', filter: { text: 'rollout gradual' } },
  {
    title: 'frequent, in a project that has none',
    filter: { text: 'gradual rollout', columns: [{ column: 'project', isWanted: true, values: ['empty'] }] },
  },
]

const HOUR_MS = 3_600_000
const filterByValues = (column: 'type' | 'project' | 'created_by', ...values: string[]): EventFilter['columns'] => [
  { column, isWanted: true, values },
]
const FILTERS: readonly SearchedText[] = [
  { title: 'no filter', filter: {} },
  { title: 'type, 9 of 10 events', filter: { columns: filterByValues('type', 'feature-strategy-update') } },
  { title: 'type, 1 in 10', filter: { columns: filterByValues('type', 'feature-environment-enabled') } },
  { title: 'type, 1 in 100,000', filter: { columns: filterByValues('type', 'segment-deleted') } },
  { title: 'author, 1 in 50', filter: { columns: filterByValues('created_by', 'person-7@example.org') } },
  { title: 'author by user id, 1 in 50', filter: { columns: filterByValues('created_by', '8') } },
  { title: 'project, 9 of 10 events', filter: { columns: filterByValues('project', 'default') } },
  { title: 'project, 1 in 200', filter: { columns: filterByValues('project', 'project-10') } },
  {
    title: 'project and type',
    filter: { columns: [...filterByValues('project', 'default'), ...filterByValues('type', 'segment-deleted')] },
  },
  {
    title: 'not of a type',
    filter: { columns: [{ column: 'type', isWanted: false, values: ['feature-strategy-update'] }] },
  },
  { title: 'one day in the middle', filter: { from: START + 2400 * HOUR_MS, until: START + 2424 * HOUR_MS } },
  { title: 'since the middle', filter: { from: START + 2777 * HOUR_MS } },
  { title: 'text and project', filter: { text: 'group-777@', columns: filterByValues('project', 'default') } },
  {
    title: 'text, author and a month',
    filter: {
      text: 'gradual rollout',
      columns: filterByValues('created_by', 'person-7@example.org'),
      from: START,
      until: START + 720 * HOUR_MS,
    },
  },
  { title: 'page 50 of a project', filter: { columns: filterByValues('project', 'default'), offset: 5000 } },
]

/** Adds events like those written when strategies change, with ids, segments and addresses. */
export async function seedHistory(db: Database, count: number): Promise<void> {
  for (let from = 0; from < count; from += ROWS_PER_TRANSACTION) {
    const until = Math.min(from + ROWS_PER_TRANSACTION, count)
    await db.write(async (tx) => {
      for (let first = from; first < until; first += ROWS_AT_ONCE) {
        const length = Math.min(ROWS_AT_ONCE, until - first)
        const rows = Array.from({ length }, (_, offset) => eventRow(first + offset))
        await tx.insertInto('events').values(rows).execute()
      }
    })
  }
}

function eventRow(index: number) {
  const name = featureName(index % FEATURES)
  const address = index % RARE === 1000 ? 'grace.hopper@navy.example' : `user-${index}@example.org`
  const strategy = (users: readonly string[]) => ({
    id: uuid(index),
    name: 'flexibleRollout',
    title: 'gradual rollout',
    parameters: { rollout: String(index % 101), stickiness: 'default', groupId: name },
    constraints: [{ contextName: 'userId', operator: 'IN', values: users }],
    segments: [index % 40],
  })
  return {
    type: getType(index),
    created_by: `person-${index % 50}@example.org`,
    created_by_user_id: 1 + (index % 50),
    created_at: START + index * 20_000,
    project: index % 10 === 0 ? `project-${(index / 10) % 20}` : 'default',
    environment: 'development',
    feature_name: name,
    reach: null,
    address: null,
    data: JSON.stringify(strategy([address, `group-${index % 1000}@example.org`])),
    pre_data: JSON.stringify(strategy([`group-${index % 1000}@example.org`])),
    tags: '[]',
  }
}

function getType(index: number): string {
  if (index % 100_000 === 7) return 'segment-deleted'
  return index % 10 === 3 ? 'feature-environment-enabled' : 'feature-strategy-update'
}

/** Returns an id that looks random and depends only on the index. */
function uuid(index: number): string {
  const hex = Array.from({ length: 4 }, (_, part) =>
    (Math.imul(index + 1, 0x9e3779b1 + part * 0x85ebca6b) >>> 0).toString(16).padStart(8, '0'),
  ).join('')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Builds the index as the server does, with its pauses, and measures how long each step blocks the event loop. */
export async function buildIndex(db: Database): Promise<BuildTimes> {
  const begin = performance.now()
  const blocks = await missingBlocks(db.reader)
  let longestStepMs = 0
  const timer = setInterval(
    ((last) => () => {
      longestStepMs = Math.max(longestStepMs, performance.now() - last - 5)
      last = performance.now()
    })(performance.now()),
    5,
  )
  for (const block of blocks) {
    await indexBlock(db, block, { pause: () => sleep(PAUSE_MS), isStopped: () => false })
  }
  clearInterval(timer)
  return { seconds: (performance.now() - begin) / 1000, longestStepMs, blocks: blocks.length }
}

/** Measures filters by type, author, project and date, alone and with a text. */
export async function measureFilters(db: Database): Promise<FilterTimes[]> {
  const names = new EventNames()
  const times: FilterTimes[] = []
  for (const { title, filter } of FILTERS) {
    const runs: { ms: number; total: number }[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const begin = performance.now()
      const { total } = await db.scan((reader: Reader) => searchEvents(reader, { ...ALL, ...filter }, names))
      runs.push({ ms: performance.now() - begin, total })
    }
    const one = { title, ...summary(runs.slice(1)) }
    console.log(JSON.stringify(one))
    times.push(one)
  }
  return times
}

/** Measures each search alternately with and without the index. */
export async function measureSearches(db: Database): Promise<SearchTimes[]> {
  const names = new EventNames()
  const run = async (filter: Partial<EventFilter>) => {
    const begin = performance.now()
    const { total } = await db.scan((reader: Reader) => searchEvents(reader, { ...ALL, ...filter }, names))
    return { ms: performance.now() - begin, total }
  }
  const times: SearchTimes[] = []
  for (const { title, filter } of TEXTS) {
    const [indexed, scanned]: [Awaited<ReturnType<typeof run>>[], Awaited<ReturnType<typeof run>>[]] = [[], []]
    for (let round = 0; round < ROUNDS; round += 1) {
      indexed.push(await run(filter))
      await moveBlocks(db, FAR_BLOCKS)
      scanned.push(await run(filter))
      await moveBlocks(db, -FAR_BLOCKS)
    }
    const one = { title, indexed: summary(indexed.slice(1)), scanned: summary(scanned.slice(1)) }
    console.log(JSON.stringify(one))
    times.push(one)
  }
  return times
}

function moveBlocks(db: Database, by: number): Promise<unknown> {
  return db.count(async (tx) => {
    const rows = await tx.selectFrom('event_search_blocks').selectAll().execute()
    await sql`delete from event_search_blocks`.execute(tx)
    const moved = rows.map(({ block, events }) => ({ block: block + by, events }))
    if (moved.length > 0) await tx.insertInto('event_search_blocks').values(moved).execute()
  })
}

function summary(runs: readonly { readonly ms: number; readonly total: number }[]) {
  const sorted = runs.map(({ ms }) => ms).sort((a, b) => a - b)
  const p99 = sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN
  return { p50: median(sorted), p99, total: runs[0]?.total ?? 0 }
}
