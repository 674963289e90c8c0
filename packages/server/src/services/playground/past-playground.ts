import type { Content } from '@burgee/kit/http/content'
import { invalid } from '@burgee/kit/input/refusals'
import { oneAtATime } from '@burgee/kit/one-at-a-time'
import type { KnownFrom, SegmentThen } from '@burgee/protocol/administration/flag-history'
import type { Segment } from '@burgee/protocol/feature'
import type { PlaygroundRequest } from '@burgee/protocol/playground'
import type { Reader } from '../../store/database.ts'
import { flagsChangedAfter, sharedChangesAfter } from '../../store/events/past-events.ts'
import { allEnvironments } from '../../store/transfer/state-reads.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { CatalogFlag } from '../catalog/catalog-flag.ts'
import { FlagTable } from '../catalog/flag-table.ts'
import type { When } from '../history/moment.ts'
import { flagAloneAt, segmentsAt } from '../history/past-flag.ts'
import { recordThen } from '../history/record-then.ts'
import type { World } from '../world.ts'
import { createExplainEngines } from './explain-engines.ts'
import { type Asker, createPlayground } from './playground.ts'

/** Flags that have changed since, and are rebuilt for one question. */
const MOST_CHANGED = 1000

/** What is asked of the flags as they were. */
export interface PastQuestion {
  readonly when: When
  readonly body: PlaygroundRequest
}

/** What flags would have been for a context at a moment, and why. */
export interface PastPlayground {
  /**
   * A `PlaygroundResponse`; flags of which the log does not tell what they were are named in its warnings instead. Rejects
   * with ValidationError, also where more flags have changed since than are rebuilt at once.
   */
  advanced(question: PastQuestion, asker: Asker): Promise<Content>
}

/** Rebuilds the flags that have changed since, as their history does; one question after the other. */
export function createPastPlayground(world: World, catalog: Pick<Catalog, 'flags'>): PastPlayground {
  const inTurn = oneAtATime<'past'>()
  const answer = async ({ when, body }: PastQuestion, asker: Asker) => {
    const moment = await catalog.flags()
    // taken before the log is read: whatever changes meanwhile stands in it
    const flags = new Map([...moment.table.values()].map((flag) => [flag.name, flag]))
    const now = { flags, segments: moment.table.segments }
    const past = await world.db.scan((reader) => stateAt(reader, now, when))
    const state = { ...moment, table: new FlagTable(past.flags.values(), past.segments) }
    const playground = createPlayground({ catalog: { flags: async () => state }, engines: createExplainEngines(world) })
    return playground.advanced(body, asker, unknownOf(past.unknown, body, asker))
  }
  return { advanced: (question, asker) => inTurn('past', () => answer(question, asker)) }
}

/** All flags and segments at a moment. */
interface State {
  readonly flags: ReadonlyMap<string, CatalogFlag>
  readonly segments: readonly Segment[]
}

/** A flag of which it is not known what it was, and its project now; undefined where it is gone. */
interface UnknownFlag {
  readonly name: string
  readonly knownFrom: KnownFrom
  readonly project: string | undefined
}

async function stateAt(reader: Reader, now: State, when: When): Promise<State & { readonly unknown: UnknownFlag[] }> {
  const places = new Map((await allEnvironments(reader)).map((row) => [row.name, row]))
  const flags = new Map(now.flags)
  const unknown = new Map<string, UnknownFlag>()
  const lose = (name: string, knownFrom: KnownFrom): void => {
    flags.delete(name)
    unknown.set(name, { name, knownFrom, project: now.flags.get(name)?.row.project })
  }
  for (const name of await changedSince(reader, now, when)) {
    const { flag, knownFrom } = await flagAloneAt(reader, name, when)
    if (knownFrom !== undefined) lose(name, knownFrom)
    else if (flag === null) flags.delete(name)
    else flags.set(name, new CatalogFlag(recordThen(flag, places), 0))
  }
  const used = [...flags.values()].flatMap(({ segments }) => segments)
  const ids = [...new Set([...now.segments.map(({ id }) => id), ...used])].sort((a, b) => a - b)
  const segments = await segmentsAt(reader, ids, when)
  const known = new Set(segments.known.map(({ id }) => id))
  const untold = segments.knownFrom ?? UNTOLD
  for (const { name, segments: own } of [...flags.values()]) if (own.some((id) => !known.has(id))) lose(name, untold)
  for (const { name, parents } of [...flags.values()]) {
    const lost = parents.flatMap(({ parent }) => unknown.get(parent) ?? [])[0]
    if (lost !== undefined) lose(name, lost.knownFrom)
  }
  return { flags, segments: segments.known.map(segmentOf), unknown: [...unknown.values()] }
}

const UNTOLD: KnownFrom = { eventId: null, at: null, why: 'untold' }

const segmentOf = ({ id, name, constraints }: SegmentThen): Segment => ({ id, name, constraints })

/** Names of flags that may have been others then. Throws ValidationError where they are too many. */
async function changedSince(reader: Reader, { flags }: State, when: When): Promise<ReadonlySet<string>> {
  const names = new Set(await flagsChangedAfter(reader, when, MOST_CHANGED + 1))
  for (const { type, project } of await sharedChangesAfter(reader, when)) {
    // whom a tag is taken from gets no other answer
    if (type === 'tag-deleted' || type === 'tag-type-deleted') continue
    const isReached = (flag: CatalogFlag) => project === null || flag.row.project === project
    for (const flag of flags.values()) if (isReached(flag)) names.add(flag.name)
  }
  if (names.size <= MOST_CHANGED) return names
  throw invalid(`More than ${MOST_CHANGED} flags have changed since then: ask for a later moment.`, 'body')
}

/** Those of the projects that were asked for and may be seen; what is gone, by whoever sees all and asks for all. */
function unknownOf(unknown: readonly UnknownFlag[], { projects }: PlaygroundRequest, { hidden = [] }: Asker) {
  const isAll = projects === undefined || projects === '*'
  const isTold = (project: string | undefined) =>
    project === undefined
      ? isAll && hidden.length === 0
      : (isAll || projects.includes(project)) && !hidden.includes(project)
  return unknown
    .filter(({ project }) => isTold(project))
    .map(({ name, knownFrom }) => ({ name, knownFrom }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}
