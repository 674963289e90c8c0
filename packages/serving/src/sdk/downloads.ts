import type { CacheBounds } from '@burgee/kit/bounded-cache'
import { type Coding, compress } from '@burgee/kit/http/compression'
import type { Content } from '@burgee/kit/http/content'
import type { DebugLog } from '@burgee/kit/log/logger'
import type { CacheSize } from '@burgee/kit/series/cache-series'
import { EnvironmentCaches } from '../document/environment-caches.ts'
import type { DocumentState } from '../document/environment-document.ts'
import type { EnvironmentDocuments } from '../document/environment-documents.ts'
import type { FilteredFlags } from '../document/filtered-flags.ts'
import { createView, joinRuns, type View } from '../document/view.ts'
import type { ViewFilter } from '../document/view-filter.ts'
import { type GroupedGzip, gzipInGroups } from './grouped-gzip.ts'

/** Query that selects flags of an environment. */
export interface FlagQuery extends ViewFilter {
  readonly environment: string
}

/**
 * Response to `GET /api/client/features`. The flags and the ETag are available immediately; the response text is built
 * when it is sent.
 */
export interface Download extends Omit<View, 'runs' | 'filtered'> {
  /** `ClientFeatures` as JSON. */
  readonly content: Content
  /**
   * Query to which this download is the response. Remains the same object while the cache contains this download or a
   * newer one for the query.
   */
  readonly scope: FlagQuery
}

/** Flag definitions that SDKs download, by query. */
export interface Downloads {
  /**
   * Returns the download for a query. `inline` copies the constraints of segments into strategies, for SDKs that do not
   * support segments. Before the environment has been loaded for the first time, returns a promise, which rejects if
   * loading fails.
   */
  get(wanted: FlagQuery, inline: boolean): Download | Promise<Download>
  /** Number of response texts built since startup, and the memory that cached texts use in all encodings. */
  getCacheStats(): { readonly made: number } & CacheSize
}

interface Entry {
  readonly download: Download
  readonly text: CachedText
  /** Flags that the view contained when it was last refreshed. */
  filtered: FilteredFlags
}

/** Throws if a string in the query cannot be a name. */
export type TextCheck = (texts: readonly (string | undefined)[]) => void

/** Settings of `createDownloads`. */
export interface DownloadSettings {
  /** Limit on cached downloads; 200 entries and 128 MiB by default. */
  readonly cacheLimits?: CacheBounds
  readonly debug?: DebugLog | undefined
  /** Called once for each new query; by default every query is allowed. */
  readonly check?: TextCheck
}

const MAX_CACHE = { entries: 200, bytes: 128 * 1024 * 1024 }

/**
 * Creates an in-memory cache of at most 200 downloads and 128 MiB, unless `cacheLimits` sets other limits, and a
 * quarter of that for test runs. Evicts downloads first that are not in use. After the document has changed, a download
 * is checked the next time it is used, and rebuilt only if its content has changed.
 */
export function createDownloads(
  documents: Pick<EnvironmentDocuments, 'get'>,
  { cacheLimits = MAX_CACHE, debug, check }: DownloadSettings = {},
): Downloads {
  const caches = new EnvironmentCaches<Entry>(cacheLimits)
  let made = 0
  const current = (state: DocumentState, wanted: FlagQuery, inline: boolean): Download => {
    const query = toEchoedQuery(wanted, inline)
    const key = JSON.stringify(query)
    const kept = caches.of(wanted.environment)
    const known = kept.get(key)
    if (known?.filtered.version === state.version) return known.download
    if (known === undefined) check?.(listQueryTexts(wanted))
    const view = createView(state, wanted, { query, inline }, known?.filtered)
    if (known !== undefined && known.download.etag === view.etag) {
      known.filtered = view.filtered
      return known.download
    }
    const text = new CachedText(view, known?.text.gzip, {
      onBuilt: (bytes) => {
        made += 1
        const what = `A download for the environment "${wanted.environment}"`
        debug?.(`${what} was assembled: revision ${view.revision.id}, ${bytes} bytes`)
      },
      onResized: (bytes) => kept.resize(key, entry, key.length + bytes),
    })
    const { runs: _lazy, filtered, ...parts } = view
    const scope = known?.download.scope ?? wanted
    const entry: Entry = { download: { ...parts, content: text, scope }, text, filtered }
    kept.set(key, entry)
    return entry.download
  }
  return {
    get(wanted, inline) {
      const state = documents.get(wanted.environment)
      return state instanceof Promise
        ? state.then((read) => current(read, wanted, inline))
        : current(state, wanted, inline)
    },
    getCacheStats: () => ({ made, ...caches.getSize() }),
  }
}

interface TextListener {
  /** Called after the plain text was built, with its size in bytes. */
  onBuilt(bytes: number): void
  /** Called with the total size of all cached encodings, in bytes. */
  onResized(bytes: number): void
}

/**
 * Response text of a view, which is built when it is first sent. Most clients request a compressed form, which is a
 * tenth of the size, so the plain form is discarded once a compressed form exists. Also stores the gzip form of the
 * previous view until this view has been compressed. The new gzip form reuses the parts of the previous one that have
 * not changed.
 */
class CachedText implements Content {
  readonly etag: string
  readonly #view: View
  readonly #listener: TextListener
  readonly #codings = new Map<Coding, Buffer | Promise<Buffer>>()
  #gzip: GroupedGzip | undefined
  #plain: Buffer | undefined
  /** Undefined until the text is built. */
  #lengthBytes: number | undefined

  constructor(view: View, gzipBefore: GroupedGzip | undefined, onText: TextListener) {
    this.etag = view.etag
    this.#view = view
    this.#gzip = gzipBefore
    this.#listener = onText
  }

  /** Most recent gzip form, of this view or of a previous view. */
  get gzip(): GroupedGzip | undefined {
    return this.#gzip
  }

  get length(): number {
    return this.#lengthBytes ?? this.#view.size
  }

  bytes(): Buffer {
    const known = this.#plain
    if (known !== undefined) return known
    const made = Buffer.from(joinRuns(this.#view.runs()))
    this.#plain = made
    this.#recordLength(made.length)
    return made
  }

  encoded(coding: Coding): Buffer | Promise<Buffer> {
    const known = this.#codings.get(coding)
    if (known !== undefined) return known
    const compressing = coding === 'gzip' ? this.#gzipText() : compress(this.bytes(), coding)
    if (!(compressing instanceof Promise)) return this.#storeCoding(coding, compressing)
    this.#codings.set(coding, compressing)
    compressing.then(
      (small) => this.#storeCoding(coding, small),
      () => this.#codings.delete(coding),
    )
    return compressing
  }

  #gzipText(): Buffer | Promise<Buffer> {
    const zipped = gzipInGroups(this.#view.runs(), this.#gzip)
    const take = (made: GroupedGzip) => {
      this.#gzip = made
      this.#recordLength(made.plainBytes)
      return made.body
    }
    return zipped instanceof Promise ? zipped.then(take) : take(zipped)
  }

  #storeCoding(coding: Coding, small: Buffer): Buffer {
    this.#codings.set(coding, small)
    this.#plain = undefined
    this.#reportSize()
    return small
  }

  #recordLength(bytes: number): void {
    if (this.#lengthBytes === undefined) this.#listener.onBuilt(bytes)
    this.#lengthBytes = bytes
    this.#reportSize()
  }

  #reportSize(): void {
    const kept = new Set([this.#plain, this.#gzip?.body, ...this.#codings.values()])
    let bytes = 0
    for (const form of kept) if (form instanceof Buffer) bytes += form.length
    this.#listener.onResized(bytes)
  }
}

/** Returns the strings in a query that are matched against the names of flags, projects or tags. */
export function listQueryTexts({ projects, namePrefix, tags = [] }: FlagQuery): (string | undefined)[] {
  return [...projects, namePrefix, ...tags.flatMap(({ type, value }) => [type, value])]
}

/** Returns the query in the form in which the response repeats it. */
function toEchoedQuery(wanted: FlagQuery, inline: boolean): Record<string, unknown> {
  const { namePrefix, tags } = wanted
  return {
    ...(wanted.projects.includes('*') ? {} : { project: [...wanted.projects].sort() }),
    ...(namePrefix === undefined || namePrefix === '' ? {} : { namePrefix }),
    ...(tags === undefined || tags.length === 0 ? {} : { tag: tags.map(({ type, value }) => [type, value]).sort() }),
    environment: wanted.environment,
    inlineSegmentConstraints: inline,
  }
}
