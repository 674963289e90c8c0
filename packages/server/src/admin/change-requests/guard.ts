import type { EventType } from '@burgee/protocol/event'
import { Problem } from '@burgee/protocol/problem'
import type { Reader, Tx } from '@burgee/storage/database'
import {
  type GuardedEnvironment,
  listGuardedEnvironments,
} from '@burgee/storage/queries/change-requests/change-request-settings'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import type { ProjectEnvironmentKey } from '@burgee/storage/queries/projects/environments'
import { listEnvironmentsUsingSegment } from '@burgee/storage/queries/targeting/segments'
import { type ChangeAuthor, hasPermission, type Rights } from '../../core/access/rights/rights.ts'

/**
 * Environments that an event affects, relative to the objects that the event names. The event requires a change request
 * if one of these environments is protected.
 */
type GuardScope = 'environment' | 'project' | 'both projects' | 'where it is used'

/**
 * Types of events that require a change request in a protected environment, with the environments that they affect.
 * Events of other types do not affect the data that SDKs receive: new flags, revived flags and new environments are
 * off; tags, descriptions and the stale mark have no effect. Objects must be archived or unused before they are
 * deleted.
 */
const GUARDED: Partial<Record<EventType, GuardScope>> = {
  'feature-environment-enabled': 'environment',
  'feature-environment-disabled': 'environment',
  'feature-strategy-add': 'environment',
  'feature-strategy-update': 'environment',
  'feature-strategy-remove': 'environment',
  'strategy-order-changed': 'environment',
  'feature-environment-variants-updated': 'environment',
  'release-plan-progressions-resumed': 'environment',
  'milestone-progression-created': 'environment',
  'milestone-progression-updated': 'environment',
  'safeguard-changed': 'environment',
  'safeguard-deleted': 'environment',
  'project-environment-removed': 'environment',
  'feature-archived': 'project',
  'feature-dependency-added': 'project',
  'feature-dependency-removed': 'project',
  'feature-dependencies-removed': 'project',
  'feature-project-change': 'both projects',
  'segment-updated': 'where it is used',
  'segment-deleted': 'where it is used',
}

/** Types of events that require a change request in a protected environment. */
export const GUARDED_EVENTS = Object.keys(GUARDED) as readonly EventType[]

/** Project and optionally one of its environments. If no environment is named, all environments are affected. */
type AffectedScope = { readonly project: string; readonly environment?: string | undefined }

/** Protected environments that a change may affect: not read yet, or read in advance for some projects. */
export type Guards = { readonly kind: 'unread' } | LoadedGuards

interface LoadedGuards {
  readonly kind: 'loaded'
  readonly projects: readonly string[]
  readonly environments: readonly GuardedEnvironment[]
}

/**
 * Placeholder for protected environments that have not been read. The protected environments are read once the events
 * of the change are known.
 */
export const UNREAD_GUARDS: Guards = { kind: 'unread' }

/** Environments in which a change was approved, and the protected environments that the change may affect. */
interface GuardsOfChange {
  readonly reviewed: readonly ProjectEnvironmentKey[] | undefined
  readonly guards: Guards
}

/**
 * Reads the protected environments of projects. Returns an empty list for the server itself, which is not restricted.
 */
export async function loadGuards(reader: Reader, author: ChangeAuthor, projects: readonly string[]): Promise<Guards> {
  const environments = author.isSystem ? [] : await listGuardedEnvironments(reader, projects)
  return { kind: 'loaded', projects, environments }
}

/**
 * Rejects events in protected environments. If the author has the permission SKIP_CHANGE_REQUEST in the environment,
 * allows the change and records this with one event per environment. `reviewed` lists the environments in which the
 * change was approved. Throws NoAccessError.
 */
export async function enforceGuards(
  tx: Tx,
  author: ChangeAuthor,
  events: readonly NewEvent[],
  { reviewed = [], guards }: GuardsOfChange,
): Promise<NewEvent[]> {
  if (author.isSystem) return []
  const guarded = (await findGuardedEvents(tx, events, guards)).filter(
    ({ at }) => !reviewed.some((one) => isAffected(one, at)),
  )
  return guarded.map(({ at: { isUsed: _used, ...place }, own }) => {
    if (!hasPermission(author, 'SKIP_CHANGE_REQUEST', place)) throw createGuardedProblem(place)
    return buildSkipEvent(place, own)
  })
}

/** Returns true if the given events require a change request and the actor is not allowed to skip it. */
export async function isGuardedFrom(tx: Tx, actor: Rights, events: readonly NewEvent[]): Promise<boolean> {
  const guarded = await findGuardedEvents(tx, events, UNREAD_GUARDS)
  return guarded.some(({ at }) => !hasPermission(actor, 'SKIP_CHANGE_REQUEST', at))
}

/** Returns the protected environments, each with the events that affect it. */
async function findGuardedEvents(
  tx: Tx,
  events: readonly NewEvent[],
  guards: Guards,
): Promise<{ at: GuardedEnvironment; own: NewEvent[] }[]> {
  const touched = await findAffectedScopes(tx, events)
  if (touched.length === 0) return []
  const projects = [...new Set(touched.map(({ at }) => at.project))]
  const isLoaded = guards.kind === 'loaded' && projects.every((project) => guards.projects.includes(project))
  const environments = isLoaded ? guards.environments : await listGuardedEnvironments(tx, projects)
  return environments
    .map((place) => ({ at: place, own: touched.filter(({ at }) => isAffected(at, place)).map(({ event }) => event) }))
    .filter(({ own }) => own.length > 0)
}

async function findAffectedScopes(
  tx: Tx,
  events: readonly NewEvent[],
): Promise<{ at: AffectedScope; event: NewEvent }[]> {
  const found: { at: AffectedScope; event: NewEvent }[] = []
  const named = (wanted: EventType) =>
    new Set(events.filter(({ type }) => type === wanted).map(({ featureName }) => featureName))
  const [revived, deleted] = [named('feature-revived'), named('feature-deleted')]
  for (const event of events) {
    // an archived flag was off for everyone, and stays off after it is revived
    if (event.type === 'feature-environment-disabled' && revived.has(event.featureName)) continue
    // a deleted parent has only archived children, and archived children stay off when they are revived
    if (event.type === 'feature-dependency-removed' && deleted.has(parentIn(event))) continue
    for (const at of await listAffectedScopes(tx, event)) found.push({ at, event })
  }
  return found
}

const parentIn = ({ preData }: NewEvent) => (preData as { readonly feature?: string } | undefined)?.feature

async function listAffectedScopes(tx: Tx, event: NewEvent): Promise<readonly AffectedScope[]> {
  const { project = '', environment } = event
  switch (GUARDED[event.type]) {
    case 'environment':
      return [{ project, environment }]
    case 'project':
      return [{ project }]
    case 'both projects': {
      const { oldProject } = event.data as { readonly oldProject: string }
      return [{ project: oldProject }, { project }]
    }
    case 'where it is used': {
      const { id } = (event.data ?? event.preData) as { readonly id: number }
      return listEnvironmentsUsingSegment(tx, id)
    }
    default:
      return []
  }
}

/**
 * Returns true if an event affects an environment. An event about a whole project affects every environment that the
 * project uses.
 */
function isAffected({ project, environment }: AffectedScope, place: GuardedEnvironment): boolean {
  if (project !== place.project) return false
  return environment === undefined ? place.isUsed : environment === place.environment
}

function createGuardedProblem({ project, environment }: ProjectEnvironmentKey): Problem {
  const way = `POST /api/admin/projects/${project}/environments/${environment}/change-requests`
  const message =
    `The environment "${environment}" of the project "${project}" requires change requests. Nothing was ` +
    `changed: propose the change with ${way}, or get the permission SKIP_CHANGE_REQUEST there.`
  return new Problem('NoAccessError', message, {
    details: [{ message }],
    extra: { permissions: ['SKIP_CHANGE_REQUEST'] },
  })
}

const MAX_NAMED = 100

function buildSkipEvent(place: ProjectEnvironmentKey, events: readonly NewEvent[]): NewEvent {
  const features = [...new Set(events.flatMap(({ featureName }) => featureName ?? []))]
  const [only] = features
  return {
    type: 'change-request-skipped',
    ...place,
    ...(features.length === 1 ? { featureName: only } : {}),
    data: { events: [...new Set(events.map(({ type }) => type))], features: features.slice(0, MAX_NAMED) },
  }
}
