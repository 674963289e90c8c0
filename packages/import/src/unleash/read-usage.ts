import type { Note } from '../model/fidelity.ts'
import type {
  EventFilter,
  SourceApplication,
  SourceEvent,
  SourceInstance,
  SourceIntegration,
  SourceSettings,
  SourceUsage,
} from '../model/source-usage.ts'
import type { DatabaseSnapshot, SourceRow } from './database-snapshot.ts'
import { toObject, toParameters, toText, toTexts } from './stored-json.ts'

const ADDONS = {
  name: 'addons',
  columns: {
    id: 'number',
    provider: 'text',
    enabled: 'yes',
    description: 'text',
    parameters: 'json',
    events: 'json',
    projects: 'json',
    environments: 'json',
    created_at: 'time',
  },
  order: 'addons.id',
} as const

const SETTINGS = { name: 'settings', columns: { name: 'text', content: 'json' }, order: 'settings.name' } as const

const APPLICATIONS = {
  name: 'client_applications',
  columns: {
    app_name: 'text',
    strategies: 'json',
    description: 'text',
    url: 'text',
    color: 'text',
    icon: 'text',
    created_at: 'time',
    seen_at: 'time',
  },
  order: 'client_applications.app_name',
} as const

const REACH = {
  name: 'client_applications_usage',
  columns: { app_name: 'text', project: 'text', environment: 'text' },
  order: 'app_name, project, environment',
} as const

const INSTANCES = {
  name: 'client_instances',
  columns: {
    app_name: 'text',
    instance_id: 'text',
    environment: 'text',
    sdk_version: 'text',
    client_ip: 'text',
    last_seen: 'time',
  },
  order: 'app_name, instance_id, environment',
} as const

const HOURS = {
  name: 'client_metrics_env',
  columns: {
    feature_name: 'text',
    app_name: 'text',
    environment: 'text',
    timestamp: 'time',
    yes: 'number',
    no: 'number',
  },
  order: 'source.timestamp, feature_name, environment, app_name',
} as const

/** Table of counts by variant, whose rows are joined to the flag counts with the same key. */
const VARIANT_HOURS = {
  table: 'client_metrics_env_variants',
  same: ['feature_name', 'app_name', 'environment', 'timestamp'],
  name: 'variant',
  value: 'count',
} as const

const EVENTS = {
  name: 'events',
  columns: {
    id: 'number',
    created_at: 'time',
    type: 'text',
    created_by: 'text',
    created_by_user_id: 'number',
    project: 'text',
    environment: 'text',
    feature_name: 'text',
    data: 'json',
    pre_data: 'json',
    tags: 'json',
    ip: 'text',
  },
  order: 'events.id',
} as const

/**
 * Number of events per chunk. The number is small, because an event that describes an export can have several
 * megabytes.
 */
const EVENTS_PER_CHUNK = 500
const COUNTS_PER_CHUNK = 2000

/** Applications, integrations and settings. */
export interface AuxiliaryData {
  readonly integrations: SourceIntegration[]
  readonly settings: SourceSettings
  readonly applications: SourceApplication[]
  readonly instances: SourceInstance[]
  /** Id of the whole installation, or undefined if it has none. */
  readonly instanceId: string | undefined
  /** Notes on settings that are not imported. */
  readonly settingNotes: readonly Note[]
}

/** Reads applications, integrations and settings. */
export async function readAuxiliaryData(snapshot: DatabaseSnapshot): Promise<AuxiliaryData> {
  const settings = new Map((await snapshot.rows(SETTINGS)).map((row) => [row.name ?? '', toObject(row.content)]))
  const origins = settings.get('unleash.frontend')?.frontendApiOrigins
  const reach = Map.groupBy(await snapshot.rows(REACH), (row) => row.app_name)
  return {
    integrations: (await snapshot.rows(ADDONS)).map((row) => ({
      id: row.id ?? 0,
      provider: row.provider ?? '',
      enabled: row.enabled === true,
      description: row.description,
      parameters: toParameters(row.parameters),
      eventTypes: toTexts(row.events),
      projects: toTexts(row.projects),
      environments: toTexts(row.environments),
      createdAt: row.created_at ?? 0,
    })),
    settings: origins === undefined ? {} : { frontendOrigins: toTexts(origins) },
    applications: (await snapshot.rows(APPLICATIONS)).map((row) => ({
      appName: row.app_name ?? '',
      strategies: toTexts(row.strategies),
      description: row.description,
      url: row.url,
      color: row.color,
      icon: row.icon,
      createdAt: row.created_at ?? 0,
      seenAt: row.seen_at ?? row.created_at ?? 0,
      reach: (reach.get(row.app_name) ?? []).map((one) => ({
        project: one.project ?? '*',
        environment: one.environment ?? '*',
      })),
    })),
    instances: (await snapshot.rows(INSTANCES)).map((row) => ({
      appName: row.app_name ?? '',
      instanceId: row.instance_id ?? '',
      environment: row.environment ?? '',
      sdkVersion: row.sdk_version,
      address: row.client_ip,
      lastSeenAt: row.last_seen ?? 0,
    })),
    instanceId: toText(settings.get('instanceInfo')?.id),
    settingNotes: [...settings].flatMap(([name, content]) => listSettingNotes(name, content)),
  }
}

/**
 * Reports a setting that cannot be imported. Does not report settings that have no effect on flags, tokens or logins.
 */
function listSettingNotes(name: string, content: Readonly<Record<string, unknown>>): Note[] {
  const words = name.startsWith('unleash.enterprise.auth.')
    ? 'single sign-on must be set up again: its settings contain secrets in another format'
    : SETTING_NOTES[name]?.(content)
  return words === undefined ? [] : [{ kind: 'setting', name, fidelity: 'not carried', words }]
}

const SETTING_NOTES: Readonly<Record<string, (content: Readonly<Record<string, unknown>>) => string | undefined>> = {
  'maintenance.mode': ({ enabled }) =>
    enabled === true ? 'maintenance mode is on in the source, but off here, so that users can start' : undefined,
  login_history_retention: () => 'the login history and its retention time are not imported',
}

/** Reads hourly counts in chunks of a few thousand. */
export async function* readUsage(snapshot: DatabaseSnapshot): AsyncGenerator<SourceUsage[]> {
  for await (const rows of snapshot.slices(HOURS, { limit: COUNTS_PER_CHUNK, beside: VARIANT_HOURS })) {
    yield rows.map((row) => ({
      flag: row.feature_name ?? '',
      appName: row.app_name ?? '',
      environment: row.environment ?? '',
      hour: row.timestamp ?? 0,
      yes: row.yes ?? 0,
      no: row.no ?? 0,
      variants: Object.fromEntries(
        Object.entries(toObject(row.beside)).map(([variant, count]) => [variant, Number(count) || 0]),
      ),
    }))
  }
}

/** Returns the number of hourly counts. */
export function countUsage(snapshot: DatabaseSnapshot): Promise<number> {
  return snapshot.count(HOURS.name)
}

const SINCE = 'coalesce(created_at, to_timestamp(0)) >= to_timestamp($P::float8 / 1000)'

/** Returns the number of matching events. */
export function countEvents(snapshot: DatabaseSnapshot, { afterId = 0, since }: EventFilter): Promise<number> {
  const after = `id > ${Math.trunc(afterId)}`
  if (since === undefined) return snapshot.count(EVENTS.name, after)
  return snapshot.count(EVENTS.name, `${after} and ${SINCE.replace('$P', '$1')}`, since)
}

/** Reads events by ascending id, in chunks of a few hundred. */
export async function* readEvents(
  snapshot: DatabaseSnapshot,
  { afterId = 0, since }: EventFilter,
): AsyncGenerator<SourceEvent[]> {
  const where = since === undefined ? undefined : ([SINCE.replace('$P', '$2'), since] as const)
  for await (const rows of snapshot.parts(EVENTS, { by: 'id', after: afterId, limit: EVENTS_PER_CHUNK, where })) {
    yield rows.map(toEvent)
  }
}

/** Returns the id of the last event; 0 if there are no events. */
export function readLastEventId(snapshot: DatabaseSnapshot): Promise<number> {
  return snapshot.largest(EVENTS.name, 'id')
}

/**
 * Converts an event. In rows written before version 4.3, the flag and the project are only in the `data` column.
 * Source: wire protocol
 */
function toEvent(row: SourceRow<typeof EVENTS.columns>): SourceEvent {
  const data = toObject(row.data)
  const isOfFlag = row.type?.startsWith('feature-') === true
  const named = isOfFlag && typeof data.name === 'string' ? data.name : null
  const placed = isOfFlag && typeof data.project === 'string' ? data.project : null
  return {
    id: row.id ?? 0,
    createdAt: row.created_at ?? 0,
    type: row.type ?? '',
    createdBy: row.created_by ?? '',
    createdByUserId: row.created_by_user_id,
    environment: row.environment,
    address: row.ip,
    project: row.project ?? placed,
    flag: row.feature_name ?? named,
    data: row.data,
    preData: row.pre_data,
    tags: parseTags(row.tags),
  }
}

function parseTags(stored: unknown): SourceEvent['tags'] {
  if (!Array.isArray(stored)) return []
  return stored.map(toObject).flatMap(({ type, value }) => {
    return typeof type === 'string' && typeof value === 'string' ? [{ type, value }] : []
  })
}
