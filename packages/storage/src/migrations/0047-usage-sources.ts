import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../ddl.ts'

/** Maximum number of events between the creation of a tag and the tagging that created it. */
const EVENTS_OF_ONE_CHANGE = sql.lit(1000)

/**
 * Adds the projects of the tokens with which instances reported and unknown flags were requested; they determine who
 * sees the rows. An existing instance gets the project of its application if there is only one. All other rows get no
 * project, so only users who see every project see them. Creation events of tags get the project of the flag that they
 * were created for.
 */
export function usageSources({ key }: Ddl): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      const instance = ['app_name', 'instance_id', 'environment'] as const
      await db.schema
        .createTable('client_instance_projects')
        .addColumn('app_name', key, (column) => column.notNull())
        .addColumn('instance_id', key, (column) => column.notNull())
        .addColumn('environment', key, (column) => column.notNull())
        .addColumn('project', key, (column) => column.notNull())
        .addPrimaryKeyConstraint('client_instance_projects_key', [...instance, 'project'])
        .addForeignKeyConstraint(
          'client_instance_projects_of',
          [...instance],
          'client_instances',
          [...instance],
          (constraint) => constraint.onDelete('cascade'),
        )
        .execute()
      const sighting = ['name', 'app_name', 'environment'] as const
      await db.schema
        .createTable('unknown_flag_projects')
        .addColumn('name', key, (column) => column.notNull())
        .addColumn('app_name', key, (column) => column.notNull())
        .addColumn('environment', key, (column) => column.notNull())
        .addColumn('project', key, (column) => column.notNull())
        .addPrimaryKeyConstraint('unknown_flag_projects_key', [...sighting, 'project'])
        .addForeignKeyConstraint(
          'unknown_flag_projects_of',
          [...sighting],
          'unknown_flags',
          [...sighting],
          (constraint) => constraint.onDelete('cascade'),
        )
        .execute()
      await sql`insert into client_instance_projects (app_name, instance_id, environment, project)
        select i.app_name, i.instance_id, i.environment, min(r.project) from client_instances i
        join client_application_reach r on r.app_name = i.app_name and r.environment = i.environment
        group by i.app_name, i.instance_id, i.environment having count(*) = 1`.execute(db)
      await sql`update events set project = (
          select t.project from events t where t.id > events.id and t.id <= events.id + ${EVENTS_OF_ONE_CHANGE}
          and t.type = 'feature-tagged' and t.data = events.data order by t.id limit 1)
        where type = 'tag-created' and project is null`.execute(db)
    },
  }
}
