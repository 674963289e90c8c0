import { BoundedCache, type CacheBounds } from '@burgee/kit/bounded-cache'
import { type Coding, compress } from '@burgee/kit/http/compression'
import type { Content } from '@burgee/kit/http/content'
import type { Debug } from '@burgee/kit/log/logger'
import type { CacheSize } from '@burgee/kit/series/cache-series'
import type { DocumentState } from '../document/environment-document.ts'
import type { EnvironmentDocuments } from '../document/environment-documents.ts'
import type { SeenFlags } from '../document/seen-flags.ts'
import { textOfRuns, type View, viewOf } from '../document/view.ts'
import type { ViewFilter } from '../document/view-filter.ts'
import { type GroupedGzip, gzipInGroups } from './grouped-gzip.ts'

/** Whose flags are asked for. */
export interface FlagQuery extends ViewFilter {
  readonly environment: string
}

/** A reply of `GET /api/client/features`: what it holds at once, its text when it is sent. */
export interface Download extends Omit<View, 'runs' | 'seen'> {
  /** A `ClientFeatures` as JSON. */
  readonly content: Content
}

/** What SDKs download, by what is asked for. */
export interface Downloads {
  /**
   * `inline` puts the constraints of segments into strategies, for SDKs that do not know segments. A promise only until
   * the environment was read for the first time, which may reject.
   */
  get(wanted: FlagQuery, inline: boolean): Download | Promise<Download>
  /** How many were put together since the start, and the memory of the texts that are kept, in whichever coding. */
  held(): { readonly made: number } & CacheSize
}

interface Entry {
  readonly download: Download
  readonly text: KeptText
  /** What it let through when it was looked at last. */
  seen: SeenFlags
}

/** Throws for a text of a question that no name can be. */
export type TextCheck = (texts: readonly (string | undefined)[]) => void

/** How downloads are kept. */
export interface DownloadSettings {
  /** At most so many, of so many bytes together; 200 of 128 MiB by default. */
  readonly most?: CacheBounds
  readonly debug?: Debug | undefined
  /** Asked once for each question; anything may be asked by default. */
  readonly check?: TextCheck
}

const MOST = { entries: 200, bytes: 128 * 1024 * 1024 }

/**
 * Keeps downloads in memory, at most 200 of them and 128 MiB (or `most`), the least used go first. One is looked at
 * again after each change of its document, and put together again where it is another one then.
 */
export function createDownloads(
  documents: Pick<EnvironmentDocuments, 'of'>,
  { most = MOST, debug, check }: DownloadSettings = {},
): Downloads {
  const kept = new BoundedCache<Entry>(most)
  let made = 0
  const current = (state: DocumentState, wanted: FlagQuery, inline: boolean): Download => {
    const query = queryOf(wanted, inline)
    const key = JSON.stringify(query)
    const known = kept.get(key)
    if (known?.seen.version === state.version) return known.download
    if (known === undefined) check?.(textsOf(wanted))
    const view = viewOf(state, wanted, { query, inline }, known?.seen)
    if (known !== undefined && known.download.etag === view.etag) {
      known.seen = view.seen
      return known.download
    }
    const text = new KeptText(view, known?.text.gzip, {
      made: (bytes) => {
        made += 1
        const what = `A download for the environment "${wanted.environment}"`
        debug?.(`${what} is put together: revision ${view.revision.id}, ${bytes} bytes`)
      },
      resized: (bytes) => kept.resize(key, entry, key.length + bytes),
    })
    const { runs: _lazy, seen, ...parts } = view
    const entry: Entry = { download: { ...parts, content: text }, text, seen }
    kept.set(key, entry)
    return entry.download
  }
  return {
    get(wanted, inline) {
      const state = documents.of(wanted.environment)
      return state instanceof Promise
        ? state.then((read) => current(read, wanted, inline))
        : current(state, wanted, inline)
    },
    held: () => ({ made, bytes: kept.bytes, limitBytes: most.bytes ?? Number.POSITIVE_INFINITY }),
  }
}

interface TextListener {
  /** The plain text was made, so many bytes long. */
  made(bytes: number): void
  /** So many bytes are kept now, in whichever coding. */
  resized(bytes: number): void
}

/**
 * The text of a view, made when it is first sent. The plain form is kept until a compressed one is there, which most
 * clients ask for and which is a tenth as long. The gzip of the view before is kept until there is one of this view,
 * which takes from it what has not changed.
 */
class KeptText implements Content {
  readonly etag: string
  readonly #view: View
  readonly #told: TextListener
  readonly #codings = new Map<Coding, Buffer | Promise<Buffer>>()
  #gzip: GroupedGzip | undefined
  #plain: Buffer | undefined
  /** Known once the text was made. */
  #lengthBytes: number | undefined

  constructor(view: View, gzipBefore: GroupedGzip | undefined, told: TextListener) {
    this.etag = view.etag
    this.#view = view
    this.#gzip = gzipBefore
    this.#told = told
  }

  /** The last that was made, of this view or of one before. */
  get gzip(): GroupedGzip | undefined {
    return this.#gzip
  }

  get length(): number {
    return this.#lengthBytes ?? this.#view.size
  }

  bytes(): Buffer {
    const known = this.#plain
    if (known !== undefined) return known
    const made = Buffer.from(textOfRuns(this.#view.runs()))
    this.#plain = made
    this.#note(made.length)
    return made
  }

  encoded(coding: Coding): Buffer | Promise<Buffer> {
    const known = this.#codings.get(coding)
    if (known !== undefined) return known
    const compressing = coding === 'gzip' ? this.#zip() : compress(this.bytes(), coding)
    if (!(compressing instanceof Promise)) return this.#keep(coding, compressing)
    this.#codings.set(coding, compressing)
    compressing.then(
      (small) => this.#keep(coding, small),
      () => this.#codings.delete(coding),
    )
    return compressing
  }

  #zip(): Buffer | Promise<Buffer> {
    const zipped = gzipInGroups(this.#view.runs(), this.#gzip)
    const take = (made: GroupedGzip) => {
      this.#gzip = made
      this.#note(made.plainBytes)
      return made.body
    }
    return zipped instanceof Promise ? zipped.then(take) : take(zipped)
  }

  #keep(coding: Coding, small: Buffer): Buffer {
    this.#codings.set(coding, small)
    this.#plain = undefined
    this.#tell()
    return small
  }

  #note(bytes: number): void {
    if (this.#lengthBytes === undefined) this.#told.made(bytes)
    this.#lengthBytes = bytes
    this.#tell()
  }

  #tell(): void {
    const kept = new Set([this.#plain, this.#gzip?.body, ...this.#codings.values()])
    let bytes = 0
    for (const form of kept) if (form instanceof Buffer) bytes += form.length
    this.#told.resized(bytes)
  }
}

/** What of a question is text that is compared with names. */
export function textsOf({ projects, namePrefix, tags = [] }: FlagQuery): (string | undefined)[] {
  return [...projects, namePrefix, ...tags.flatMap(({ type, value }) => [type, value])]
}

/** The query as the wire echoes it. */
function queryOf(wanted: FlagQuery, inline: boolean): Record<string, unknown> {
  const { namePrefix, tags } = wanted
  return {
    ...(wanted.projects.includes('*') ? {} : { project: [...wanted.projects].sort() }),
    ...(namePrefix === undefined || namePrefix === '' ? {} : { namePrefix }),
    ...(tags === undefined || tags.length === 0 ? {} : { tag: tags.map(({ type, value }) => [type, value]).sort() }),
    environment: wanted.environment,
    inlineSegmentConstraints: inline,
  }
}
