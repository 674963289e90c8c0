import type { Caller } from '@burgee/kit/http/route'
import type { DocumentRevision } from '../document/environment-document.ts'
import { KEY_WORDS, readConnectionKey } from './connection-key.ts'
import { DistinctSketch } from './distinct-sketch.ts'

/** Environment and projects whose flags a web page receives. */
export interface PageScope {
  readonly environment: string
  readonly projects: readonly string[]
}

/** Number of web pages seen while a revision was current. */
interface Visit {
  readonly revision: DocumentRevision
  readonly sinceMs: number
  readonly sketch: DistinctSketch
}

interface ScopeVisits {
  readonly scope: PageScope
  readonly visits: Visit[]
}

/** Estimated number of distinct pages. */
export interface PageCounts {
  readonly seen: number
  /** Estimated number of pages that have requested flags since the revision became current. */
  readonly held: number
}

/** Estimated number of pages of a scope that have the same revision. */
export interface PageGroup {
  readonly scope: PageScope
  readonly revision: DocumentRevision
  readonly pages: number
}

/** Time for which a page is counted after its last request. */
const WINDOW_MS = 120_000
const SLICE_MS = 10_000
const MAX_SCOPES = 100
/** Maximum number of sketches per scope; each new revision starts another sketch. */
const MAX_VISITS = 32

/**
 * Estimates, for each revision, how many distinct web pages have requested flags within the last two minutes.
 * Individual pages are not recorded. Pages without a connection id are not counted.
 */
export class PageBook {
  readonly #clock: () => number
  readonly #key = new Int32Array(KEY_WORDS)
  readonly #scopes = new Map<string, ScopeVisits>()

  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** Records that a page was sent the flags of a revision, or was notified that its flags are unchanged. */
  record(scope: PageScope, caller: Caller, revision: DocumentRevision): void {
    if (!readConnectionKey(caller, this.#key)) return
    this.#getSketch(scope, revision)?.add(this.#key[0] ?? 0, this.#key[3] ?? 0)
  }

  /**
   * Returns the number of pages across all matching scopes, and how many of them have the given revision or a later
   * one.
   */
  count(matches: (scope: PageScope) => boolean, { epoch, id }: DocumentRevision): PageCounts {
    const seen = new DistinctSketch()
    const held = new DistinctSketch()
    const since = this.#clock() - WINDOW_MS
    for (const { scope, visits } of this.#scopes.values()) {
      if (!matches(scope)) continue
      for (const { revision, sinceMs, sketch } of visits) {
        if (sinceMs < since) continue
        seen.merge(sketch)
        if (revision.epoch === epoch && revision.id >= id) held.merge(sketch)
      }
    }
    return { seen: seen.count(), held: held.count() }
  }

  /** Returns the number of pages by scope and by the newest revision that they have requested. Omits empty groups. */
  listGroups(): PageGroup[] {
    const since = this.#clock() - WINDOW_MS
    return [...this.#scopes.values()].flatMap(({ scope, visits }) => {
      const groups = countByRevision(visits.filter(({ sinceMs }) => sinceMs >= since))
      return groups.filter(({ pages }) => pages > 0).map((group) => ({ scope, ...group }))
    })
  }

  #getSketch(scope: PageScope, revision: DocumentRevision): DistinctSketch | undefined {
    const now = this.#clock()
    const known = this.#getVisits(scope, now)
    const last = known?.visits.at(-1)
    const isCurrent =
      last !== undefined &&
      last.revision.id === revision.id &&
      last.revision.epoch === revision.epoch &&
      now - last.sinceMs < SLICE_MS
    if (isCurrent) return last.sketch
    if (known === undefined) return undefined
    const sketch = new DistinctSketch()
    known.visits.push({ revision, sinceMs: now, sketch })
    while (known.visits.length > MAX_VISITS || now - (known.visits[0]?.sinceMs ?? now) > WINDOW_MS) known.visits.shift()
    return sketch
  }

  #getVisits(scope: PageScope, now: number): ScopeVisits | undefined {
    const key = `${scope.environment} ${scope.projects.join()}`
    const known = this.#scopes.get(key)
    if (known !== undefined) return known
    if (this.#scopes.size >= MAX_SCOPES) this.#forgetIdle(now)
    if (this.#scopes.size >= MAX_SCOPES) return undefined
    const fresh: ScopeVisits = { scope, visits: [] }
    this.#scopes.set(key, fresh)
    return fresh
  }

  #forgetIdle(now: number): void {
    for (const [key, { visits }] of this.#scopes) {
      if (now - (visits.at(-1)?.sinceMs ?? 0) > WINDOW_MS) this.#scopes.delete(key)
    }
  }
}

/** Counts each page for its newest revision. The visits are in ascending order of time. */
function countByRevision(visits: readonly Visit[]): Omit<PageGroup, 'scope'>[] {
  const seen = new DistinctSketch()
  const groups = new Map<string, { readonly revision: DocumentRevision; pages: number }>()
  let counted = 0
  for (const { revision, sketch } of visits.toReversed()) {
    seen.merge(sketch)
    const total = Math.max(counted, seen.count())
    const key = `${revision.epoch} ${revision.id}`
    const group = groups.get(key) ?? { revision, pages: 0 }
    group.pages += total - counted
    groups.set(key, group)
    counted = total
  }
  return [...groups.values()]
}
