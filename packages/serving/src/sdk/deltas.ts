import { createHash } from 'node:crypto'
import { BoundedCache, type CacheBounds } from '@burgee/kit/bounded-cache'
import type { CacheSize } from '@burgee/kit/series/cache-series'
import { hydrationText, touchedText } from '../document/delta.ts'
import type { DocumentRevision, DocumentState } from '../document/environment-document.ts'
import type { EnvironmentDocuments } from '../document/environment-documents.ts'
import { type FlagQuery, type TextCheck, textsOf } from './downloads.ts'

/** What an SDK that asks for changes is told. */
export interface Delta {
  /** What it asks with the next time, with its quotes. */
  readonly etag: string
  /** A `DeltaEvents` as JSON; undefined where nothing of what it gets has changed. */
  readonly body: string | Buffer | undefined
}

/** Changes of what SDKs download, by what they have. */
export interface Deltas {
  /**
   * What leads from the state of a tag to what is in use now, or everything where that is not known. A promise until the
   * environment was read for the first time, which may reject, and where another node may know more than this one.
   */
  get(wanted: FlagQuery, have: string | undefined): Delta | Promise<Delta>
  /** Memory of the texts of everything. */
  held(): CacheSize
}

/** A state that an SDK says it has. */
interface Had {
  readonly revision: DocumentRevision
  readonly scope: string
}

const TAG = /^(?:W\/)?"(\d{1,15}):([^":.]*)\.([0-9a-f]{8})"$/
const MOST = { entries: 50, bytes: 64 * 1024 * 1024 }

/**
 * Tells changes by the events that a node has heard of, so that any node can go on where another one has stopped. Tags
 * are `"<number of the event>:<epoch>.<what was asked for>"`: of another life of the database, or of another question,
 * nobody has changes. Texts of everything are kept, at most 50 of them and 64 MiB (or `most`).
 *
 * @param look has heard of everything that was committed before, once it resolves
 */
export function createDeltas(
  documents: Pick<EnvironmentDocuments, 'of' | 'completeUpTo' | 'settled' | 'touchedAfter'>,
  look: () => Promise<unknown>,
  { most = MOST, check }: { readonly most?: CacheBounds; readonly check?: TextCheck } = {},
): Deltas {
  const kept = new BoundedCache<{ readonly version: number; readonly body: Buffer }>(most)
  const everything = (state: DocumentState, wanted: FlagQuery, key: string): Buffer => {
    const known = kept.get(key)
    if (known?.version === state.version) return known.body
    check?.(textsOf(wanted))
    const entry = { version: state.version, body: Buffer.from(hydrationText(state, wanted)) }
    kept.set(key, entry)
    kept.resize(key, entry, key.length + entry.body.length)
    return entry.body
  }
  const deltaOf = (state: DocumentState, wanted: FlagQuery, had: Had | undefined): Delta => {
    const now = documents.completeUpTo(wanted.environment) ?? state.revision
    const key = keyOf(wanted)
    const scope = scopeOf(key)
    const etag = tagOf({ revision: now, scope })
    const isKnown = had?.scope === scope && had.revision.epoch === now.epoch && had.revision.id <= now.id
    if (!isKnown) return { etag, body: everything(state, wanted, key) }
    if (had.revision.id === now.id) return { etag, body: undefined }
    const touched = documents.touchedAfter(wanted.environment, had.revision)
    if (touched === undefined) return { etag, body: everything(state, wanted, key) }
    const body = touchedText(touched, state, wanted)
    return body === undefined ? { etag: tagOf(had), body } : { etag, body }
  }
  return {
    held: () => ({ bytes: kept.bytes, limitBytes: most.bytes ?? Number.POSITIVE_INFINITY }),
    get(wanted, have) {
      const had = hadBy(have)
      const state = documents.of(wanted.environment)
      if (state instanceof Promise) return state.then((read) => deltaOf(read, wanted, had))
      const now = documents.completeUpTo(wanted.environment)
      const isAhead = had !== undefined && had.revision.epoch === now?.epoch && had.revision.id > now.id
      if (!isAhead) return deltaOf(state, wanted, had)
      // another node was asked before
      return look()
        .then(() => documents.settled(wanted.environment))
        .then(async () => deltaOf(await documents.of(wanted.environment), wanted, had))
    },
  }
}

function tagOf({ revision: { id, epoch }, scope }: Had): string {
  return `"${id}:${epoch}.${scope}"`
}

function hadBy(tag: string | undefined): Had | undefined {
  const [, id, epoch, scope] = TAG.exec(tag ?? '') ?? []
  if (id === undefined || epoch === undefined || scope === undefined) return undefined
  return { revision: { id: Number(id), epoch }, scope }
}

/** What is asked for, in one order. */
export function keyOf({ environment, projects, namePrefix = '', tags = [] }: FlagQuery): string {
  const named = tags.map(({ type, value }) => JSON.stringify([type, value])).sort()
  return JSON.stringify([environment, [...projects].sort(), namePrefix, named])
}

function scopeOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 8)
}
