import { createHash } from 'node:crypto'
import type { CacheBounds } from '@burgee/kit/bounded-cache'
import type { CacheSize } from '@burgee/kit/series/cache-series'
import { formatHydration, formatTouched } from '../document/document-delta.ts'
import { EnvironmentCaches } from '../document/environment-caches.ts'
import type { DocumentRevision, DocumentState } from '../document/environment-document.ts'
import type { EnvironmentDocuments } from '../document/environment-documents.ts'
import { type FlagQuery, listQueryTexts, type TextCheck } from './downloads.ts'

/** Response to an SDK that requests changes instead of all flags. */
export interface Delta {
  /** ETag for the SDK's next request, including quotes. */
  readonly etag: string
  /** `DeltaEvents` JSON; undefined if the SDK's flags have not changed. */
  readonly body: string | Buffer | undefined
  /** Revision of the flags that the SDK has after this response. */
  readonly revision: DocumentRevision
  /** Revision that the SDK had before, according to its ETag; undefined if the ETag is unknown. */
  readonly held: DocumentRevision | undefined
}

/** Changes to flags since the state that an SDK has. */
export interface Deltas {
  /**
   * Returns the changes from the state with the given ETag to the current state, or the full state if these changes are
   * unknown. Returns a promise in two cases: before the environment has been loaded for the first time (the promise
   * rejects if loading fails), and if another node may be ahead of this one.
   */
  get(wanted: FlagQuery, have: string | undefined): Delta | Promise<Delta>
  /** Memory that cached full states use. */
  getCacheSize(): CacheSize
}

/** State that an SDK has, according to its ETag. */
interface ClientState {
  readonly revision: DocumentRevision
  readonly scope: string
}

const TAG = /^(?:W\/)?"(\d{1,15}):([^":.]*)\.([0-9a-f]{8})"$/
const MAX_CACHE = { entries: 50, bytes: 64 * 1024 * 1024 }

/**
 * Creates deltas from the events that a node has received; SDKs can continue with the deltas of another node. ETags
 * have the form `"<event number>:<epoch>.<query hash>"`. A request whose ETag has another epoch or query hash receives
 * the full state. Caches at most 50 full states and 64 MiB, unless `cacheLimits` sets other limits,
 * and a quarter of that for test runs.
 *
 * @param look resolves once the node has received everything committed before the call
 */
export function createDeltas(
  documents: Pick<EnvironmentDocuments, 'get' | 'completeUpTo' | 'settled' | 'findTouchedSince'>,
  look: () => Promise<unknown>,
  { cacheLimits = MAX_CACHE, check }: { readonly cacheLimits?: CacheBounds; readonly check?: TextCheck } = {},
): Deltas {
  const caches = new EnvironmentCaches<{ readonly version: number; readonly body: Buffer }>(cacheLimits)
  const everything = (state: DocumentState, wanted: FlagQuery, key: string): Buffer => {
    const kept = caches.of(wanted.environment)
    const known = kept.get(key)
    if (known?.version === state.version) return known.body
    check?.(listQueryTexts(wanted))
    const entry = { version: state.version, body: Buffer.from(formatHydration(state, wanted)) }
    kept.set(key, entry)
    kept.resize(key, entry, key.length + entry.body.length)
    return entry.body
  }
  const deltaOf = (state: DocumentState, wanted: FlagQuery, had: ClientState | undefined): Delta => {
    const now = documents.completeUpTo(wanted.environment) ?? state.revision
    const key = getQueryKey(wanted)
    const scope = hashScope(key)
    const etag = formatDeltaTag({ revision: now, scope })
    const revisions = { revision: now, held: had?.revision }
    const isKnown = had?.scope === scope && had.revision.epoch === now.epoch && had.revision.id <= now.id
    if (!isKnown) return { etag, body: everything(state, wanted, key), ...revisions }
    if (had.revision.id === now.id) return { etag, body: undefined, ...revisions }
    const touched = documents.findTouchedSince(wanted.environment, had.revision)
    if (touched === undefined) return { etag, body: everything(state, wanted, key), ...revisions }
    const body = formatTouched(touched, state, wanted)
    return { etag: body === undefined ? formatDeltaTag(had) : etag, body, ...revisions }
  }
  return {
    getCacheSize: () => caches.getSize(),
    get(wanted, have) {
      const had = parseDeltaTag(have)
      const state = documents.get(wanted.environment)
      if (state instanceof Promise) return state.then((read) => deltaOf(read, wanted, had))
      const now = documents.completeUpTo(wanted.environment)
      const isAhead = had !== undefined && had.revision.epoch === now?.epoch && had.revision.id > now.id
      if (!isAhead) return deltaOf(state, wanted, had)
      // the SDK received its state from a node that is ahead of this one
      return look()
        .then(() => documents.settled(wanted.environment))
        .then(async () => deltaOf(await documents.get(wanted.environment), wanted, had))
    },
  }
}

function formatDeltaTag({ revision: { id, epoch }, scope }: ClientState): string {
  return `"${id}:${epoch}.${scope}"`
}

function parseDeltaTag(tag: string | undefined): ClientState | undefined {
  const [, id, epoch, scope] = TAG.exec(tag ?? '') ?? []
  if (id === undefined || epoch === undefined || scope === undefined) return undefined
  return { revision: { id: Number(id), epoch }, scope }
}

/** Returns a key that is the same for equivalent queries. */
export function getQueryKey({ environment, projects, namePrefix = '', tags = [] }: FlagQuery): string {
  const named = tags.map(({ type, value }) => JSON.stringify([type, value])).sort()
  return JSON.stringify([environment, [...projects].sort(), namePrefix, named])
}

function hashScope(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 8)
}
