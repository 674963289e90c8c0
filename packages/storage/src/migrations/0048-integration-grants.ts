import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../ddl.ts'

interface Tables {
  integrations: { id: number; only_projects: string }
  integration_project_grants: { integration_id: number; project: string; granted_by: number }
  events: { id: number; type: string; data: string | null; created_by_user_id: number }
}

/**
 * Adds the user who named each project of an integration: a private project is delivered only while that user can see
 * it. Existing projects count as named by the last author of the integration according to its events; without such an
 * event, they have no grant.
 */
export function integrationGrants({ key }: Ddl): Migration {
  return {
    up: async (untyped: Kysely<unknown>) => {
      const db = untyped as Kysely<Tables>
      await db.schema
        .createTable('integration_project_grants')
        .addColumn('integration_id', 'integer', (column) =>
          column.notNull().references('integrations.id').onDelete('cascade'),
        )
        .addColumn('project', key, (column) => column.notNull())
        .addColumn('granted_by', 'integer', (column) => column.notNull())
        .addPrimaryKeyConstraint('integration_project_grants_key', ['integration_id', 'project'])
        .execute()
      const authors = await lastAuthors(db)
      for (const { id, only_projects } of await db
        .selectFrom('integrations')
        .select(['id', 'only_projects'])
        .execute()) {
        const grantedBy = authors.get(id)
        const projects = parseList(only_projects)
        if (grantedBy === undefined || projects.length === 0) continue
        const rows = projects.map((project) => ({ integration_id: id, project, granted_by: grantedBy }))
        await db.insertInto('integration_project_grants').values(rows).execute()
      }
    },
  }
}

async function lastAuthors(db: Kysely<Tables>): Promise<ReadonlyMap<number, number>> {
  const events = await db
    .selectFrom('events')
    .select(['data', 'created_by_user_id'])
    .where('type', 'in', ['addon-config-created', 'addon-config-updated'])
    .orderBy('id')
    .execute()
  const authors = new Map<number, number>()
  for (const { data, created_by_user_id } of events) {
    const parsed: unknown = typeof data === 'string' ? JSON.parse(data) : data
    const id = typeof parsed === 'object' && parsed !== null && 'id' in parsed ? parsed.id : undefined
    if (typeof id === 'number') authors.set(id, created_by_user_id)
  }
  return authors
}

function parseList(stored: unknown): string[] {
  const parsed: unknown = typeof stored === 'string' ? JSON.parse(stored) : stored
  return Array.isArray(parsed) ? [...new Set(parsed.filter((one) => typeof one === 'string'))] : []
}
