import { splitList } from '@burgee/kit/split-list'
import { HOLDING_LIMITS, type Holding } from '@burgee/protocol/administration/delivery-receipt'
import type { DocumentRevision } from '../document/environment-document.ts'
import type { Connection, ConnectionBook } from './connection-book.ts'
import type { PageBook } from './page-book.ts'

/** Number of connections to this process, or of its pages, whose document has the same revision. */
export interface LocalHolding extends Omit<Holding, 'revision'> {
  /** Revision of this process that the connections have; its id is 0 if they have none. */
  readonly revision: DocumentRevision
}

/** Maximum number of rows; connections in further rows are omitted. */
const MAX_ROWS = 2000

/** Groups the matching connections of a book by scope, application and revision; by default, all connections match. */
export function listHoldings(
  book: ConnectionBook,
  matches: (connection: Connection) => boolean = () => true,
): LocalHolding[] {
  const rows = new Map<string, { -readonly [Key in keyof LocalHolding]: LocalHolding[Key] }>()
  for (const connection of book.list()) {
    if (!matches(connection)) continue
    const { scope, appName, epoch, held, lastSeenMs } = connection
    const { environment, projects } = scope
    const key = JSON.stringify([environment, projects, appName, epoch, held])
    const known = rows.get(key)
    if (known !== undefined) {
      known.connections += 1
      known.oldest = Math.min(known.oldest, lastSeenMs)
    } else if (rows.size < MAX_ROWS) {
      const revision = { epoch, id: held }
      const scopeOfRow = { environment, projects: [...projects], kind: 'processes' as const, appName }
      rows.set(key, { ...scopeOfRow, revision, connections: 1, oldest: lastSeenMs })
    }
  }
  return [...rows.values()]
}

/** Groups the pages of a book by scope and revision. Their number is an estimate. */
export function listPageHoldings(book: PageBook, now: number): LocalHolding[] {
  return book.listGroups().map(({ scope: { environment, projects }, revision, pages }) => ({
    environment,
    projects: [...projects],
    kind: 'pages',
    appName: '',
    revision,
    connections: pages,
    oldest: now,
  }))
}

/**
 * Returns the rows of a report that lie within the scope of the reporting token. Limits their projects to the scope,
 * and their times to the present.
 */
export function limitToScope(
  rows: readonly Holding[],
  scope: Pick<Holding, 'environment' | 'projects'>,
  now: number,
): Holding[] {
  return rows
    .slice(0, HOLDING_LIMITS.rows)
    .filter(({ environment }) => environment === scope.environment)
    .map((row) => ({
      ...row,
      projects: limitProjects(row.projects, scope.projects),
      oldest: Math.min(row.oldest, now),
    }))
    .filter(({ projects }) => projects.length > 0)
}

function limitProjects(projects: readonly string[], own: readonly string[]): string[] {
  if (own.includes('*')) return [...projects]
  return projects.includes('*') ? [...own] : projects.filter((project) => own.includes(project))
}

/** Splits rows that list many projects, so that each row lists at most `max` projects. */
export function* splitByProjects<Row extends { readonly projects: readonly string[] }>(
  rows: Iterable<Row>,
  max: number,
): Generator<Row> {
  for (const row of rows) {
    if (row.projects.length <= max) {
      yield row
      continue
    }
    for (const projects of splitList(row.projects, max)) yield { ...row, projects }
  }
}
