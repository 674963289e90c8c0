import type { ConfigOrigin, ConfigOrigins } from '@burgee/protocol/administration/config-origin'
import type { QueryClient } from '@tanstack/react-query'
import { buildQueryString, call } from '../api/http.ts'
import { getFlagQuery, SEGMENTS } from '../api/queries.ts'
import { RELEASE_TEMPLATES } from '../api/release-templates.ts'
import { EVENT_STREAM } from '../shell/live/event-stream.ts'
import type { Question } from '../ui/dialog/question.ts'
import { type ChangedObjects, listChangedObjects } from './changed-objects.ts'
import { formatSource } from './format-source.ts'
import type { MANAGED_TEXTS } from './texts.ts'

/** Age up to which the known origins are used while no events arrive, in milliseconds. */
const FRESH_MS = 60_000

/** Request that changes something. */
export interface ChangeRequestParts {
  readonly path: string
  readonly body: unknown
}

interface Means {
  readonly queries: QueryClient
  readonly words: typeof MANAGED_TEXTS.en
  readonly ask: (question: Question) => Promise<boolean>
}

/**
 * Asks for confirmation if a request changes objects that files describe. Resolves to true if the request may be sent.
 * If the origins of the objects cannot be read, asks nothing.
 */
export async function confirmChange(
  { path, body }: ChangeRequestParts,
  { queries, words, ask }: Means,
): Promise<boolean> {
  const changed = listChangedObjects(path, body)
  if (changed.keys.length === 0 || isUnmanagedFlag(queries, changed)) return true
  const [first, ...others] = await findManaged(queries, changed).catch(() => [])
  if (first === undefined) return true
  const subject = others.length === 0 ? first.name : words.several(String(others.length + 1))
  return ask({ title: words.question(subject), text: words.text(subject, formatSource(first)), action: words.action })
}

/** Returns true if the page has just shown the only changed flag, and no file describes the flag. */
function isUnmanagedFlag(queries: QueryClient, { kind, project, keys: [feature = '', ...others] }: ChangedObjects) {
  if (kind !== 'Flag' || project === undefined || others.length > 0) return false
  const { queryKey } = getFlagQuery({ project, feature })
  const state = queries.getQueryState<{ readonly managedBy?: unknown }>(queryKey)
  return state?.data !== undefined && !state.isInvalidated && state.data.managedBy === undefined
}

/** Returns the origins of the changed objects that files describe. Rejects with ApiError. */
async function findManaged(queries: QueryClient, changed: ChangedObjects): Promise<readonly ConfigOrigin[]> {
  const origins = (await readOrigins(queries, changed.project)).filter(({ kind }) => kind === changed.kind)
  if (origins.length === 0) return []
  const names = await readNames(queries, changed)
  return origins.filter(({ name }) => names.includes(name))
}

async function readOrigins(queries: QueryClient, project: string | undefined): Promise<readonly ConfigOrigin[]> {
  const { origins } = await queries.fetchQuery({
    queryKey: ['origins', project ?? ''],
    queryFn: () => call<ConfigOrigins>('GET', `/api/admin/config/origins${buildQueryString({ project })}`),
    // Events about origins invalidate the query.
    staleTime: EVENT_STREAM.isOpen() ? Number.POSITIVE_INFINITY : FRESH_MS,
    gcTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return origins
}

/** Returns the names of the changed objects: the paths of segments and release templates contain ids. */
async function readNames(queries: QueryClient, { kind, keys }: ChangedObjects): Promise<readonly string[]> {
  if (kind === 'Segment') {
    const segments = await queries.ensureQueryData(SEGMENTS)
    return segments.filter(({ id }) => keys.includes(String(id))).map(({ name }) => name)
  }
  if (kind === 'ReleaseTemplate') {
    const templates = await queries.ensureQueryData(RELEASE_TEMPLATES)
    return templates.filter(({ id }) => keys.includes(id)).map(({ name }) => name)
  }
  return keys
}
