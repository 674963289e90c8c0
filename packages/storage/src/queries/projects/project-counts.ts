import type { Reader } from '../../database.ts'
import { isOverdue, listLifetimes } from '../flags/lifetimes.ts'

/** Number of flags of one type, and how many of them are stale or overdue. */
export interface TypeCount {
  readonly type: string
  readonly count: number
  readonly stale: number
  readonly overdue: number
}

/** Numbers of members, flags and other contents of a project. */
export interface ProjectCounts {
  /**
   * Numbers of flags by type, not counting archived flags. `overdue` counts flags that have exceeded the expected
   * lifetime of their type and are not stale.
   */
  readonly types: readonly TypeCount[]
  readonly members: number
  readonly isFavorite: boolean
}

/**
 * Viewer of projects, whose favorites are read, and the current time, from which it follows which flags are overdue.
 */
export interface ProjectViewer {
  readonly now: number
  readonly userId: number | undefined
  /** Ids of projects that are hidden from the viewer. */
  readonly hidden?: readonly string[] | undefined
}

/**
 * Reads the counts of all projects or of one project; the number of queries does not depend on the number of projects.
 * Returns a function that maps a project id to its counts.
 */
export async function readProjectCounts(
  reader: Reader,
  view: ProjectViewer,
  project?: string,
): Promise<(id: string) => ProjectCounts> {
  const types = Map.groupBy(await countByType(reader, view.now, project), (row) => row.project)
  const members = await reader
    .selectFrom('project_members')
    .select(({ fn }) => ['project', fn.count<number>('user_id').distinct().as('count')])
    .groupBy('project')
    .execute()
  const memberCount = new Map(members.map((row) => [row.project, Number(row.count)]))
  const favorites = await reader
    .selectFrom('project_favorites')
    .select('project')
    .where('user_id', '=', view.userId ?? 0)
    .execute()
  const isFavorite = new Set(favorites.map((row) => row.project))
  return (id) => ({
    types: types.get(id) ?? [],
    members: memberCount.get(id) ?? 0,
    isFavorite: isFavorite.has(id),
  })
}

/** Returns the percentage of flags that are neither stale nor overdue; 100 if the project has no flags. */
export function calculateHealth({ types }: ProjectCounts): number {
  const all = countFlags(types)
  const unwell = types.reduce((sum, row) => sum + row.stale + row.overdue, 0)
  return all === 0 ? 100 : Math.round((100 * (all - unwell)) / all)
}

/** Returns the total number of flags of all types. */
export function countFlags(types: ProjectCounts['types']): number {
  return types.reduce((sum, row) => sum + row.count, 0)
}

async function countByType(reader: Reader, now: number, project: string | undefined) {
  const lives = await listLifetimes(reader)
  let query = reader
    .selectFrom('features')
    .select((builder) => [
      'project',
      'type',
      builder.fn.countAll<number>().as('count'),
      builder.fn.countAll<number>().filterWhere('stale', '=', 1).as('stale'),
      builder.fn
        .countAll<number>()
        .filterWhere(({ and, eb }) => and([eb('stale', '=', 0), isOverdue(builder, lives, now)]))
        .as('overdue'),
    ])
    .where('archived_at', 'is', null)
  if (project !== undefined) query = query.where('project', '=', project)
  const rows = await query.groupBy(['project', 'type']).orderBy('type').execute()
  return rows.map(({ count, stale, overdue, ...row }) => ({
    ...row,
    count: Number(count),
    stale: Number(stale),
    overdue: Number(overdue),
  }))
}
