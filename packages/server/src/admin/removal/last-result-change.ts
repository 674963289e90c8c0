import type { Reader } from '@burgee/storage/database'
import {
  readHistoryStart,
  readLastAudienceChanges,
  readLastImport,
  readLastSharedChange,
  type SharedChange,
} from '@burgee/storage/queries/flags/audience-changes'
import type { CatalogFlag } from '../catalog/catalog-flag.ts'
import type { FlagTable } from '../catalog/flag-table.ts'
import { toEvaluatedFeature } from '../playground/explain-engines.ts'
import { PRODUCTION } from './kept-path.ts'

/** Flag with its parents and the environments whose results decide. */
interface Subject {
  readonly flag: CatalogFlag
  readonly table: FlagTable
  readonly environments: readonly string[]
}

/**
 * Returns the time since which the result of a flag in the given environments cannot have changed through the flag, its
 * parents, their segments, or the environments themselves. If the event log contains no change of the flag, returns the
 * start of the log.
 */
export async function readSince(reader: Reader, subject: Subject): Promise<number> {
  const { archived_at: archivedAt, created_at: createdAt } = subject.flag.row
  if (archivedAt !== null) return Number(archivedAt)
  const changedAt = await readLastOwnChange(reader, subject)
  const known = changedAt === 0 ? await readHistoryStart(reader) : await readLastImport(reader)
  const own = Math.max(changedAt, Number(createdAt), known)
  const withSegments = await readLastSegmentChange(reader, subject, own)
  return readLastEnvironmentChange(reader, subject, withSegments)
}

async function readLastOwnChange(reader: Reader, { flag, environments }: Subject): Promise<number> {
  const names = [flag.name, ...flag.parents.map(({ parent }) => parent)]
  const changes = await readLastAudienceChanges(reader, names)
  const places = [...environments, '']
  return Math.max(0, ...names.flatMap((name) => places.map((place) => changes.get(name)?.get(place) ?? 0)))
}

/**
 * Returns the time of the last change to a segment that the flag or one of its parents uses now, or `after` if that is
 * later.
 */
async function readLastSegmentChange(reader: Reader, subject: Subject, after: number): Promise<number> {
  const used = listSegments(subject)
  if (used.size === 0) return after
  const isMatch = ({ data, pre_data }: SharedChange) => {
    const now = data as SegmentState | null
    const then = pre_data as SegmentState | null
    return now !== null && used.has(now.id) && JSON.stringify(now.constraints) !== JSON.stringify(then?.constraints)
  }
  return readLastSharedChange(reader, { type: 'segment-updated', after, isMatch })
}

/** State of a segment as recorded in an event. */
interface SegmentState {
  readonly id: number
  readonly constraints: unknown
}

function listSegments({ flag, table, environments }: Subject): Set<number> {
  const flags = [flag, ...flag.parents.flatMap(({ parent }) => table.find(parent) ?? [])]
  const features = flags.flatMap((one) => environments.map((environment) => toEvaluatedFeature(one, environment)))
  const strategies = features.flatMap((feature) => feature.strategies ?? [])
  return new Set(strategies.flatMap(({ segments }) => segments ?? []))
}

/**
 * Returns the time at which one of the environments last joined the project, or changed to or from the production type.
 */
async function readLastEnvironmentChange(
  reader: Reader,
  { flag, environments }: Subject,
  after: number,
): Promise<number> {
  if (environments.length === 0) return after
  const addedAt = await readLastSharedChange(reader, {
    type: 'project-environment-added',
    after,
    environments,
    isMatch: ({ project }) => project === flag.row.project,
  })
  return readLastSharedChange(reader, {
    type: 'environment-updated',
    after: addedAt,
    environments,
    isMatch: ({ data, pre_data }) => isProduction(data) !== isProduction(pre_data),
  })
}

function isProduction(state: unknown): boolean {
  return (state as { readonly type?: unknown } | null)?.type === PRODUCTION
}
