import type { ProjectStats } from '@burgee/protocol/project'
import type { Reader } from '../../database.ts'

const DAY_MS = 86_400_000
const WINDOW_MS = 30 * DAY_MS

/** Lead time: time from the creation of a flag until it was first on in production. */
export interface LeadTime {
  readonly name: string
  /** Lead time in days, to one decimal place. */
  readonly days: number
  /** Time at which the flag was first on in production, in milliseconds since 1970. */
  readonly at: number
}

/**
 * Computes recent statistics of a project from its events, with three queries. The statistics are defined in the wire
 * protocol, section "stats".
 */
export async function readProjectStats(
  reader: Reader,
  project: string,
  now: number,
  leadTimes: readonly LeadTime[],
): Promise<ProjectStats> {
  const recent = leadTimes.filter(({ at }) => at >= now - WINDOW_MS)
  return {
    avgTimeToProdCurrentWindow: calculateAverageDays(recent),
    ...(await countEvents(reader, project, now)),
    projectMembersAddedCurrentWindow: await countMembersAdded(reader, project, now - WINDOW_MS),
  }
}

/** Returns the average number of days, to one decimal place; 0 for an empty list. */
export function calculateAverageDays(times: readonly LeadTime[]): number {
  return times.length === 0 ? 0 : toTenths(times.reduce((sum, { days }) => sum + days, 0) / times.length)
}

/**
 * Returns the lead times of all flags in a project (including archived flags) that have ever been on in production,
 * sorted by name.
 */
export async function listLeadTimes(reader: Reader, project: string): Promise<LeadTime[]> {
  return (await readLeadTimes(reader, project)).get(project) ?? []
}

/** Returns the lead times of flags by project, for all projects or for one project. Takes one query. */
export async function readLeadTimes(reader: Reader, project?: string): Promise<Map<string, LeadTime[]>> {
  let query = reader
    .selectFrom('events as x')
    .innerJoin('features as f', 'f.name', 'x.feature_name')
    .innerJoin('environments as e', 'e.name', 'x.environment')
    .select(({ fn }) => ['f.project', 'f.name', 'f.created_at as born', fn.min<number>('x.created_at').as('at')])
    .whereRef('x.project', '=', 'f.project')
    .where('x.type', '=', 'feature-environment-enabled')
    .where('e.type', '=', 'production')
    // counts from the latest creation of the flag, because an earlier flag may have had the same name
    .whereRef('x.created_at', '>=', 'f.created_at')
    .groupBy(['f.project', 'f.name', 'f.created_at'])
    .orderBy('f.name')
  if (project !== undefined) query = query.where('x.project', '=', project)
  const rows = (await query.execute()).map(({ born, at, ...row }) => ({ ...row, born, at: Number(at) }))
  const times = rows.map(({ at, born, ...row }) => ({ ...row, at, days: toTenths((at - born) / DAY_MS) }))
  return Map.groupBy(times, (time) => time.project)
}

async function countEvents(reader: Reader, project: string, now: number) {
  const [start, middle] = [now - 2 * WINDOW_MS, now - WINDOW_MS]
  const row = await reader
    .selectFrom('events')
    .select(({ fn }) => {
      const all = () => fn.countAll<number>()
      const of = (type: string) => all().filterWhere('type', '=', type)
      return [
        of('feature-created').filterWhere('created_at', '>=', middle).as('created'),
        of('feature-created').filterWhere('created_at', '<', middle).as('createdBefore'),
        of('feature-archived').filterWhere('created_at', '>=', middle).as('archived'),
        of('feature-archived').filterWhere('created_at', '<', middle).as('archivedBefore'),
        all().filterWhere('created_at', '>=', middle).as('activity'),
        all().filterWhere('created_at', '<', middle).as('activityBefore'),
      ]
    })
    .where('project', '=', project)
    .where('created_at', '>=', start)
    .executeTakeFirstOrThrow()
  return {
    createdCurrentWindow: Number(row.created),
    createdPastWindow: Number(row.createdBefore),
    archivedCurrentWindow: Number(row.archived),
    archivedPastWindow: Number(row.archivedBefore),
    projectActivityCurrentWindow: Number(row.activity),
    projectActivityPastWindow: Number(row.activityBefore),
  }
}

/**
 * Counts the users who joined a project since a time: its creator, and users who received their first role in the
 * project.
 */
async function countMembersAdded(reader: Reader, project: string, since: number): Promise<number> {
  const rows = await reader
    .selectFrom('events')
    .select(['data', 'pre_data'])
    .where('project', '=', project)
    .where('type', 'in', ['project-created', 'project-access-user-roles-updated'])
    .where('created_at', '>=', since)
    .execute()
  const people = rows
    .filter((row) => row.pre_data === null)
    .flatMap(({ data }) => {
      const { owners = [], userId } = data as { owners?: number[]; userId?: number }
      return userId === undefined ? owners : [userId]
    })
  return new Set(people).size
}

function toTenths(days: number): number {
  return Math.round(days * 10) / 10
}
