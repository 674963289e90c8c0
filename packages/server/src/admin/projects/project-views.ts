import type { ProjectOwner } from '@burgee/protocol/administration/project-status'
import type {
  CreatedProject,
  HealthReport,
  LeadTimes,
  Project,
  ProjectDetails,
  ProjectInsights,
  ProjectOverview,
} from '@burgee/protocol/project'
import type { Reader } from '@burgee/storage/database'
import { listProjectEnvironmentNames } from '@burgee/storage/queries/flags/features'
import { listDefaultStrategies } from '@burgee/storage/queries/projects/environments'
import {
  calculateHealth,
  countFlags,
  type ProjectCounts,
  type ProjectViewer,
  readProjectCounts,
} from '@burgee/storage/queries/projects/project-counts'
import { type OwnerRows, readOwnersByProject } from '@burgee/storage/queries/projects/project-owners'
import {
  calculateAverageDays,
  type LeadTime,
  listLeadTimes,
  readLeadTimes,
  readProjectStats,
} from '@burgee/storage/queries/projects/project-stats'
import {
  type ProjectRow,
  readLastEventTimes,
  readProjectEnvironmentNames,
} from '@burgee/storage/queries/projects/projects'
import { isoOrNull } from '../../core/iso-time.ts'
import { requireProject } from '../../core/project-ref.ts'
import type { World } from '../../core/world.ts'
import { toUser } from '../access/people/users.ts'
import type { FlagPages } from '../flags/flag-pages.ts'
import { toFlagRules } from '../flags/project-flag-rules.ts'

/** Data sources of projects with their flags. */
export type ProjectSources = Pick<World, 'db'> & { readonly flagPages: Pick<FlagPages, 'entries'> }

/** Returns a project without its flags and statistics. */
export function toProjectState(row: ProjectRow) {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    mode: row.mode,
    defaultStickiness: row.default_stickiness,
    createdAt: new Date(row.created_at).toISOString(),
    archivedAt: isoOrNull(row.archived_at),
    ...toFlagRules(row),
  }
}

/**
 * Returns a project in the form for new and listed projects. The key `description` is omitted if there is no
 * description.
 */
export function toListedProject(row: ProjectRow): Omit<CreatedProject, 'environments'> {
  const { description, ...state } = toProjectState(row)
  return { ...state, ...(description === null ? {} : { description }) }
}

/** Lists archived or unarchived projects, sorted by id. Runs ten queries regardless of the number of projects. */
export async function readProjectList(reader: Reader, view: ProjectViewer, archived: boolean): Promise<Project[]> {
  const all = await reader
    .selectFrom('projects')
    .selectAll()
    .where('archived_at', archived ? 'is not' : 'is', null)
    .orderBy('id')
    .execute()
  const rows = all.filter(({ id }) => view.hidden?.includes(id) !== true)
  const environments = await readProjectEnvironmentNames(reader)
  const countsOf = await readProjectCounts(reader, view)
  const leadTimes = await readLeadTimes(reader)
  const touched = await readLastEventTimes(reader)
  const owners = await readOwnersByProject(reader)
  return rows.map((row) => {
    const counts = countsOf(row.id)
    const { staleCount, potentiallyStaleCount } = getHealthCounts(counts)
    return {
      ...toListedProject(row),
      favorite: counts.isFavorite,
      health: calculateHealth(counts),
      featureCount: countFlags(counts.types),
      staleFeatureCount: staleCount,
      potentiallyStaleFeatureCount: potentiallyStaleCount,
      avgTimeToProduction: calculateAverageDays(leadTimes.get(row.id) ?? []),
      updatedAt: new Date(touched.get(row.id) ?? row.created_at).toISOString(),
      memberCount: counts.members,
      environments: environments.get(row.id) ?? [],
      owners: toOwners(owners.get(row.id)),
    }
  })
}

/** Returns the owners of a project; a project without owners belongs to the system. */
function toOwners(owners: OwnerRows | undefined): ProjectOwner[] {
  if (owners === undefined) return [{ ownerType: 'system' }]
  const people = owners.users.map((row) => {
    const { imageUrl } = toUser(row)
    const name = row.name ?? row.username ?? row.email ?? ''
    return { ownerType: 'user' as const, name, email: row.email, imageUrl }
  })
  return [...people, ...owners.groups.map((name) => ({ ownerType: 'group' as const, name }))]
}

/** Returns a project with its statistics. Throws NotFoundError. */
export async function readProjectOverview(reader: Reader, id: string, view: ProjectViewer): Promise<ProjectOverview> {
  const row = await requireProject(reader, id)
  const counts = (await readProjectCounts(reader, view, id))(id)
  const archived = await reader
    .selectFrom('features')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('project', '=', id)
    .where('archived_at', 'is not', null)
    .executeTakeFirst()
  const last = await reader
    .selectFrom('events')
    .select('created_at')
    .where('project', '=', id)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const defaults = new Map((await listDefaultStrategies(reader, id)).map((one) => [one.environment, one.strategy]))
  return {
    version: 1,
    ...toProjectState(row),
    favorite: counts.isFavorite,
    health: calculateHealth(counts),
    members: counts.members,
    featureTypeCounts: counts.types.map(({ type, count }) => ({ type, count })),
    archivedFeatureCount: Number(archived?.count ?? 0),
    environments: (await listProjectEnvironmentNames(reader, id)).map((environment) => {
      const defaultStrategy = defaults.get(environment)
      return { environment, ...(defaultStrategy === undefined ? {} : { defaultStrategy }) }
    }),
    updatedAt: new Date(last?.created_at ?? row.created_at).toISOString(),
    stats: await readProjectStats(reader, id, view.now, await listLeadTimes(reader, id)),
  }
}

/** Returns a project with its flags. Throws NotFoundError. */
export async function readProjectDetails(
  { db, flagPages }: ProjectSources,
  id: string,
  view: ProjectViewer,
): Promise<ProjectDetails> {
  const overview = await db.view((reader) => readProjectOverview(reader, id, view))
  return { ...overview, features: await flagPages.entries({ project: id }, view.userId) }
}

/**
 * Returns a project with its flags, and the numbers of active, stale and potentially stale flags. Throws NotFoundError.
 */
export async function readHealthReport(
  sources: ProjectSources,
  id: string,
  view: ProjectViewer,
): Promise<HealthReport> {
  const details = await readProjectDetails(sources, id, view)
  const counts = await sources.db.view((reader) => readProjectCounts(reader, view, id))
  return { ...details, ...getHealthCounts(counts(id)) }
}

/** Returns statistics of a project from its flags, members and events. Throws NotFoundError. */
export async function readProjectInsights(reader: Reader, id: string, view: ProjectViewer): Promise<ProjectInsights> {
  await requireProject(reader, id)
  const counts = (await readProjectCounts(reader, view, id))(id)
  const leadTimes = await listLeadTimes(reader, id)
  const stats = await readProjectStats(reader, id, view.now, leadTimes)
  return {
    stats,
    featureTypeCounts: counts.types.map(({ type, count }) => ({ type, count })),
    health: { rating: calculateHealth(counts), ...getHealthCounts(counts) },
    leadTime: toLeadTimes(leadTimes),
    members: { currentMembers: counts.members, change: stats.projectMembersAddedCurrentWindow },
  }
}

/** Returns the lead times of the flags of a project, from creation to production. Throws NotFoundError. */
export async function readProjectLeadTimes(reader: Reader, id: string): Promise<LeadTimes> {
  await requireProject(reader, id)
  return toLeadTimes(await listLeadTimes(reader, id))
}

function toLeadTimes(leadTimes: readonly LeadTime[]): LeadTimes {
  const features = leadTimes.map(({ name, days }) => ({ name, timeToProduction: days }))
  return { projectAverage: calculateAverageDays(leadTimes), features }
}

function getHealthCounts({ types }: ProjectCounts) {
  const sum = (column: 'count' | 'stale' | 'overdue') => types.reduce((total, row) => total + row[column], 0)
  const [stale, overdue] = [sum('stale'), sum('overdue')]
  return { activeCount: sum('count') - stale - overdue, potentiallyStaleCount: overdue, staleCount: stale }
}
