import type { EventType } from '@burgee/protocol/event'
import type { Reader } from '../../database.ts'

/** Returns the release plans of all flags in a project that are not archived, with one query. */
export function listPlansOfProject(reader: Reader, project: string) {
  return reader
    .selectFrom('release_plans as p')
    .innerJoin('features as f', 'f.name', 'p.feature_name')
    .select(['p.id', 'p.feature_name', 'p.environment', 'p.template_id', 'p.name'])
    .select(['p.milestones', 'p.active_milestone_id'])
    .where('f.project', '=', project)
    .where('f.archived_at', 'is', null)
    .execute()
}

/** Release plan of a flag, without its start and due times. */
export type ConfiguredPlan = Awaited<ReturnType<typeof listPlansOfProject>>[number]

/** Returns the names of the archived flags in a project. */
export async function listArchivedNames(reader: Reader, project: string): Promise<string[]> {
  const query = reader.selectFrom('features').select('name').where('project', '=', project)
  return (await query.where('archived_at', 'is not', null).execute()).map(({ name }) => name)
}

/** Types of events about objects that all projects share and that configuration files describe. */
const SHARED_EVENTS = [
  ...(['segment-created', 'segment-updated', 'segment-deleted', 'tag-type-created', 'tag-type-deleted'] as const),
  ...(['context-field-created', 'context-field-updated', 'context-field-deleted'] as const),
  ...(['release-plan-template-created', 'release-plan-template-updated'] as const),
  ...(['release-plan-template-archived', 'release-plan-template-deleted'] as const),
] as const satisfies readonly EventType[]

/**
 * Returns the id of the last event that belongs to a project or concerns an object that all projects share; 0 if there
 * is no such event.
 */
export async function findConfigRevision(reader: Reader, project: string): Promise<number> {
  const own = await reader
    .selectFrom('events')
    .select(({ fn }) => fn.max<number | null>('id').as('id'))
    .where('project', '=', project)
    .executeTakeFirst()
  const shared = await reader
    .selectFrom('events')
    .select(({ fn }) => fn.max<number | null>('id').as('id'))
    .where('type', 'in', SHARED_EVENTS)
    .executeTakeFirst()
  return Math.max(Number(own?.id ?? 0), Number(shared?.id ?? 0))
}
