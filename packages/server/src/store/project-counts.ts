import type { Reader } from './database.ts'

const DAY_MS = 86_400_000

/** What a project holds. */
export interface ProjectCounts {
  /** Flags that are not archived, by type; `unwell` are those that are stale or older than their type lives. */
  readonly types: readonly { readonly type: string; readonly count: number; readonly unwell: number }[]
  readonly members: number
  readonly isFavorite: boolean
}

/** Whose favourites, and when it is: flags grow older. */
export interface Viewpoint {
  readonly now: number
  readonly userId: number | undefined
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
  const unwell = types.reduce((sum, row) => sum + row.unwell, 0)
  return all === 0 ? 100 : Math.round((100 * (all - unwell)) / all)
}

/** How many flags there are of all types. */
export function flagsOf(types: ProjectCounts['types']): number {
  return types.reduce((sum, row) => sum + row.count, 0)
}

async function typeCounts(reader: Reader, now: number, project: string | undefined) {
  const lives = await reader
    .selectFrom('feature_types')
    .select(['id', 'lifetime_days'])
    .where('lifetime_days', 'is not', null)
    .execute()
  let query = reader
    .selectFrom('features')
    .select(({ fn, eb, and, or }) => [
      'project',
      'type',
      fn.countAll<number>().as('count'),
      fn
        .countAll<number>()
        .filterWhere(
          or([
            eb('stale', '=', 1),
            ...lives.map(({ id, lifetime_days }) =>
              and([eb('type', '=', id), eb('created_at', '<', now - (lifetime_days ?? 0) * DAY_MS)]),
            ),
          ]),
        )
        .as('unwell'),
    ])
    .where('archived_at', 'is', null)
  if (project !== undefined) query = query.where('project', '=', project)
  const rows = await query.groupBy(['project', 'type']).orderBy('type').execute()
  return rows.map((row) => ({ ...row, count: Number(row.count), unwell: Number(row.unwell) }))
}
