import type { Reader } from '../database.ts'
import { isOverdue, lifetimes } from '../features/lifetimes.ts'

/** How many flags of a type there are, and how they are. */
export interface TypeCount {
  readonly type: string
  readonly count: number
  readonly stale: number
  readonly overdue: number
}

/** What a project holds. */
export interface ProjectCounts {
  /** Flags that are not archived, by type; `overdue` are those older than their type lives and not stale. */
  readonly types: readonly TypeCount[]
  readonly members: number
  readonly isFavorite: boolean
}

/** Whose favourites, and when it is: flags grow older. */
export interface Viewpoint {
  readonly now: number
  readonly userId: number | undefined
  /** Ids of projects that they may not know of. */
  readonly hidden?: readonly string[] | undefined
}

/** Counts by project, of all projects or of one; four queries however many projects there are. */
export async function projectCounts(
  reader: Reader,
  view: Viewpoint,
  project?: string,
): Promise<(id: string) => ProjectCounts> {
  const types = Map.groupBy(await typeCounts(reader, view.now, project), (row) => row.project)
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

/** Share of flags that are well, in percent; without flags all is well. */
export function healthOf({ types }: ProjectCounts): number {
  const all = flagsOf(types)
  const unwell = types.reduce((sum, row) => sum + row.stale + row.overdue, 0)
  return all === 0 ? 100 : Math.round((100 * (all - unwell)) / all)
}

/** How many flags there are of all types. */
export function flagsOf(types: ProjectCounts['types']): number {
  return types.reduce((sum, row) => sum + row.count, 0)
}

async function typeCounts(reader: Reader, now: number, project: string | undefined) {
  const lives = await lifetimes(reader)
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
    ...{ count: Number(count), stale: Number(stale), overdue: Number(overdue) },
  }))
}
