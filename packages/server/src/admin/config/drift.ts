import type { ConfigFileKind } from '@burgee/protocol/administration/config-files'
import type { EventType } from '@burgee/protocol/event'
import type { Tx } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import { AUDIENCE_EVENTS } from '@burgee/storage/queries/flags/audience-changes'
import { listOverridesAmong } from '@burgee/storage/queries/flags/self-targets'
import { deleteOrigins, markDrift, type OriginRow } from '@burgee/storage/queries/transfer/config-origins'
import type { OriginIndex } from '../../core/managed-objects.ts'

/** Types of events after which a flag can differ from its file. */
const FLAG_EVENTS: ReadonlySet<EventType> = new Set<EventType>([
  ...AUDIENCE_EVENTS,
  'feature-metadata-updated',
  'feature-archived',
  'feature-project-change',
  'feature-stale-on',
  'feature-stale-off',
  'feature-tagged',
  'feature-untagged',
  'release-plan-added',
  'release-plan-removed',
  'release-plan-milestone-started',
])

/** Types of events after which another object can differ from its file. */
const OBJECT_EVENTS: Partial<Record<EventType, ConfigFileKind>> = {
  'segment-updated': 'Segment',
  'segment-deleted': 'Segment',
  'context-field-updated': 'ContextField',
  'context-field-deleted': 'ContextField',
  'release-plan-template-updated': 'ReleaseTemplate',
  'release-plan-template-archived': 'ReleaseTemplate',
  'release-plan-template-deleted': 'ReleaseTemplate',
}
const DELETIONS: ReadonlySet<EventType> = new Set<EventType>([
  'segment-deleted',
  'context-field-deleted',
  'release-plan-template-deleted',
])

/** Returns true if a managed object can differ from its file after an event of this type. */
export function isDriftEvent(type: EventType): boolean {
  return FLAG_EVENTS.has(type) || OBJECT_EVENTS[type] !== undefined
}

/** Returns the key of an object in an index of origins. */
export function getOriginKey({ kind, name }: Pick<OriginRow, 'kind' | 'name'>): string {
  return `${kind} ${name}`
}

/** Events of a change. */
interface ChangeByHand {
  readonly events: readonly NewEvent[]
  readonly now: number
  /** Undefined if no change by this author is drift. */
  readonly origins: OriginIndex | undefined
}

/** Object that was changed by hand, and the types of the events that changed it. */
interface Drift {
  readonly origin: OriginRow
  readonly events: readonly NewEvent[]
}

/**
 * Records that managed objects were changed by hand. Returns one event for each of these objects. Does nothing for an
 * apply of files. Runs no query if no managed object was changed.
 */
export async function recordDrift(tx: Tx, { events, now, origins }: ChangeByHand): Promise<NewEvent[]> {
  if (origins === undefined || origins.size === 0 || events.some(({ type }) => type === 'config-applied')) return []
  const drifts = [...(await findFlagDrifts(tx, events, origins)), ...findObjectDrifts(events, origins)]
  if (drifts.length === 0) return []
  const changed = drifts.map(({ origin }) => origin)
  await markDrift(tx, changed, now)
  const deletions = drifts.filter((drift) => drift.events.some(({ type }) => DELETIONS.has(type)))
  await deleteOrigins(
    tx,
    deletions.map(({ origin }) => origin),
  )
  return drifts.map(buildDriftEvent)
}

async function findFlagDrifts(tx: Tx, events: readonly NewEvent[], origins: OriginIndex): Promise<readonly Drift[]> {
  const managed = (name = '') => origins.get(getOriginKey({ kind: 'Flag', name })) ?? []
  const found = events.filter(
    ({ type, featureName, isOverride }) =>
      FLAG_EVENTS.has(type) && isOverride !== true && managed(featureName).length > 0,
  )
  if (found.length === 0) return []
  const overrides = await listOverridesAmong(
    tx,
    found.flatMap(({ data }) => getStrategyId(data) ?? []),
  )
  const lasting = found.filter(({ data }) => !overrides.has(getStrategyId(data) ?? ''))
  return [...Map.groupBy(lasting, ({ featureName }) => featureName)].flatMap(([name, own]) =>
    managed(name).flatMap((origin) => {
      const events = own.filter((event) => concerns(event, origin))
      return events.length > 0 ? [{ origin, events }] : []
    }),
  )
}

/**
 * Returns true if an event about a flag concerns the files of a project: the flag is in that project, or leaves it.
 * Members of a project that the flag has left may not see the project in which it is now, and the other way around.
 */
function concerns({ type, project, data }: NewEvent, origin: OriginRow): boolean {
  if (type !== 'feature-project-change') return project === origin.project
  return (data as { readonly oldProject: string }).oldProject === origin.project
}

/** Returns the id in the data of an event about a strategy; other data have no id that is a text. */
function getStrategyId(data: unknown): string | undefined {
  const { id } = (data ?? {}) as { readonly id?: unknown }
  return typeof id === 'string' ? id : undefined
}

function findObjectDrifts(events: readonly NewEvent[], origins: OriginIndex): readonly Drift[] {
  return events.flatMap((event) => {
    const kind = OBJECT_EVENTS[event.type]
    if (kind === undefined) return []
    // the file has the name that the object had before
    const { name } = event.preData as { readonly name: string }
    return (origins.get(getOriginKey({ kind, name })) ?? []).map((origin) => ({ origin, events: [event] }))
  })
}

function buildDriftEvent({ origin, events }: Drift): NewEvent {
  const { project, kind, name, feature_name, repository, commit_id: commit, path } = origin
  const environments = new Set(events.map(({ environment }) => environment))
  const [environment] = environments
  return {
    type: 'config-drift',
    project,
    environment: environments.size === 1 ? environment : undefined,
    featureName: feature_name ?? undefined,
    data: { kind, name, repository, commit, path, changes: [...new Set(events.map(({ type }) => type))] },
  }
}
