import type { Content } from '@burgee/kit/http/content'
import { invalid } from '@burgee/kit/input/refusals'
import { createKeyedMutex } from '@burgee/kit/keyed-mutex'
import type { HistoryStart, SegmentSnapshot } from '@burgee/protocol/administration/flag-history'
import type { Segment } from '@burgee/protocol/feature'
import type { PlaygroundRequest } from '@burgee/protocol/playground'
import type { Reader } from '@burgee/storage/database'
import { listFlagsChangedAfter, listSharedChangesAfter } from '@burgee/storage/queries/events/past-events'
import { listAllEnvironments } from '@burgee/storage/queries/transfer/state-reads'
import type { World } from '../../core/world.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { CatalogFlag } from '../catalog/catalog-flag.ts'
import { FlagTable } from '../catalog/flag-table.ts'
import { readFlagWithoutSegmentsAt } from '../history/past-flag.ts'
import { readSegmentsAt } from '../history/past-segments.ts'
import type { PointInTime } from '../history/point-in-time.ts'
import { toFlagRecord } from '../history/snapshot-record.ts'
import { createExplainEngines } from './explain-engines.ts'
import { createPlayground, type PlaygroundCaller } from './playground.ts'

/** Maximum number of flags that one request may cause to be rebuilt. */
const MAX_CHANGED = 1000

/** Request to evaluate the flags at a point in time. */
export interface PastQuery {
  readonly when: PointInTime
  readonly body: PlaygroundRequest
}

/** Evaluation of flags as of a point in time, with explanation. */
export interface PastPlayground {
  /**
   * Returns a `PlaygroundResponse`. Flags whose past state is unknown are not evaluated; the warnings of the response
   * list them. Rejects with ValidationError, for example if more than `MAX_CHANGED` flags have changed since then.
   */
  advanced(question: PastQuery, asker: PlaygroundCaller): Promise<Content>
}

/**
 * Creates the playground. The playground rebuilds changed flags from their history and serves one request at a time.
 */
export function createPastPlayground(world: World, catalog: Pick<Catalog, 'flags'>): PastPlayground {
  const inTurn = createKeyedMutex<'past'>()
  const answer = async ({ when, body }: PastQuery, asker: PlaygroundCaller) => {
    const moment = await catalog.flags()
    // read the flags before the event log, so that the log contains all concurrent changes
    const flags = new Map([...moment.table.values()].map((flag) => [flag.name, flag]))
    const now = { flags, segments: moment.table.segments }
    const past = await world.db.scan((reader) => readStateAt(reader, now, when))
    const state = { ...moment, table: new FlagTable(past.flags.values(), past.segments) }
    const playground = createPlayground({ catalog: { flags: async () => state }, engines: createExplainEngines(world) })
    return playground.advanced(body, asker, listVisibleUnknown(past.unknown, body, asker))
  }
  return { advanced: (question, asker) => inTurn('past', () => answer(question, asker)) }
}

/** All flags and segments at a point in time. */
interface PastState {
  readonly flags: ReadonlyMap<string, CatalogFlag>
  readonly segments: readonly Segment[]
}

/** Flag whose past state is unknown, and its current project. The project is undefined if the flag was deleted. */
interface UnknownFlag {
  readonly name: string
  readonly knownFrom: HistoryStart
  readonly project: string | undefined
}

async function readStateAt(
  reader: Reader,
  now: PastState,
  when: PointInTime,
): Promise<PastState & { readonly unknown: UnknownFlag[] }> {
  const places = new Map((await listAllEnvironments(reader)).map((row) => [row.name, row]))
  const flags = new Map(now.flags)
  const unknown = new Map<string, UnknownFlag>()
  const lose = (name: string, knownFrom: HistoryStart): void => {
    flags.delete(name)
    unknown.set(name, { name, knownFrom, project: now.flags.get(name)?.row.project })
  }
  for (const name of await readChangedFlags(reader, now, when)) {
    const { flag, knownFrom } = await readFlagWithoutSegmentsAt(reader, name, when)
    if (knownFrom !== undefined) lose(name, knownFrom)
    else if (flag === null) flags.delete(name)
    else flags.set(name, new CatalogFlag(toFlagRecord(flag, places), 0))
  }
  const used = [...flags.values()].flatMap(({ segments }) => segments)
  const ids = [...new Set([...now.segments.map(({ id }) => id), ...used])].sort((a, b) => a - b)
  const segments = await readSegmentsAt(reader, ids, when)
  const known = new Set(segments.known.map(({ id }) => id))
  const segmentsKnownFrom = segments.knownFrom ?? UNKNOWN_START
  for (const { name, segments: own } of [...flags.values()])
    if (own.some((id) => !known.has(id))) lose(name, segmentsKnownFrom)
  for (const { name, parents } of [...flags.values()]) {
    const lost = parents.flatMap(({ parent }) => unknown.get(parent) ?? [])[0]
    if (lost !== undefined) lose(name, lost.knownFrom)
  }
  return { flags, segments: segments.known.map(toSegment), unknown: [...unknown.values()] }
}

const UNKNOWN_START: HistoryStart = { eventId: null, at: null, why: 'untold' }

const toSegment = ({ id, name, constraints }: SegmentSnapshot): Segment => ({ id, name, constraints })

/**
 * Returns the names of the flags that may have changed since a point in time. Throws ValidationError if too many flags
 * may have changed.
 */
async function readChangedFlags(reader: Reader, { flags }: PastState, when: PointInTime): Promise<ReadonlySet<string>> {
  const names = new Set(await listFlagsChangedAfter(reader, when, MAX_CHANGED + 1))
  for (const { type, project } of await listSharedChangesAfter(reader, when)) {
    // deleting a tag does not change an evaluation
    if (type === 'tag-deleted' || type === 'tag-type-deleted') continue
    const isReached = (flag: CatalogFlag) => project === null || flag.row.project === project
    for (const flag of flags.values()) if (isReached(flag)) names.add(flag.name)
  }
  if (names.size <= MAX_CHANGED) return names
  throw invalid(`More than ${MAX_CHANGED} flags have changed since then: request a later time.`, 'body')
}

/**
 * Returns the flags with unknown state whose projects are both requested and visible. Deleted flags are included only
 * for callers who see all projects and request all projects.
 */
function listVisibleUnknown(
  unknown: readonly UnknownFlag[],
  { projects, features }: PlaygroundRequest,
  { hidden = [] }: PlaygroundCaller,
) {
  const isAll = projects === undefined || projects === '*'
  const isListed = (project: string | undefined) =>
    project === undefined
      ? isAll && hidden.length === 0
      : (isAll || projects.includes(project)) && !hidden.includes(project)
  return unknown
    .filter(({ name, project }) => isListed(project) && features?.includes(name) !== false)
    .map(({ name, knownFrom }) => ({ name, knownFrom }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}
