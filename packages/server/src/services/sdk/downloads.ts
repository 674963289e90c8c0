import { createHash } from 'node:crypto'
import { BoundedCache, type CacheBounds } from '@burgee/kit/bounded-cache'
import { compressedBytes } from '@burgee/kit/http/compression'
import type { Debug } from '@burgee/kit/log/logger'
import type { ClientFeatures, Feature, Segment, Strategy } from '@burgee/protocol/feature'
import { tagOf } from '@burgee/serving/document/revision-tag'
import type { Database } from '../../store/database.ts'
import type { Revision } from '../../store/epochs.ts'
import type { StoredEvent } from '../../store/events/events.ts'
import { type FlagQuery, readSnapshot, type Snapshot } from '../../store/snapshot.ts'
import type { Broadcast } from '../broadcast.ts'

/** A reply of `GET /api/client/features`, ready to send. */
export interface Download {
  readonly revision: Revision
  /** Names query, revision and content (see `tagOf`), with its quotes: equal tags, equal documents. */
  readonly etag: string
  /** A `ClientFeatures` as JSON. */
  readonly body: Buffer
}

/** The document that a download is the text of; a value of the caller's own. */
export function documentOf({ body }: Download): ClientFeatures {
  return JSON.parse(body.toString('utf8')) as ClientFeatures
}

/** What SDKs download, per query; put together once per change and kept. */
export interface Downloads {
  /** `inline` puts the constraints of segments into strategies, for SDKs that do not know segments. */
  get(wanted: FlagQuery, inline: boolean): Promise<Download>
  /** How many were put together since the start, and the memory of those that are kept, compressed forms included. */
  held(): { readonly made: number; readonly bytes: number }
}

interface Entry {
  readonly environment: string
  readonly download: Promise<Download>
  /** Once it is there. */
  body?: Buffer
}

const MOST = { entries: 200, bytes: 128 * 1024 * 1024 }

/**
 * Keeps downloads in memory, at most 200 of them and 128 MiB (or `most`); what was not used for longest goes first. An
 * entry is used until an event that reaches its environment is published; after that the first caller reads anew and the
 * others wait for it.
 */
export function createDownloads(
  db: Database,
  broadcast: Broadcast,
  { most = MOST, debug }: { readonly most?: CacheBounds; readonly debug?: Debug | undefined } = {},
): Downloads {
  const kept = new BoundedCache<Entry>(most)
  let made = 0
  broadcast.subscribe(
    (events) => drop(kept, events),
    () => kept.deleteWhere(() => true),
  )
  const measure = (key: string, entry: Entry): void => {
    if (entry.body !== undefined) kept.resize(key, entry, key.length + entry.body.length + compressedBytes(entry.body))
  }
  return {
    async get(wanted, inline) {
      const query = queryOf(wanted, inline)
      const key = JSON.stringify(query)
      const known = kept.get(key)
      if (known !== undefined) {
        measure(key, known)
        return known.download
      }
      made += 1
      const download = db
        .view((reader) => readSnapshot(reader, wanted))
        .then((read) => render(read, query, key, inline))
      const entry: Entry = { environment: wanted.environment, download }
      kept.set(key, entry)
      download.then(
        ({ body, revision }) => {
          debug?.(
            `A download for the environment "${wanted.environment}" is put together: revision ${revision.id}, ${body.length} bytes`,
          )
          entry.body = body
          measure(key, entry)
        },
        () => kept.deleteWhere((one) => one === entry),
      )
      return download
    },
    held: () => ({ made, bytes: kept.bytes }),
  }
}

/** An entry being read while the event is published may hold the old state: it goes as well. */
function drop(kept: BoundedCache<Entry>, events: readonly StoredEvent[]): void {
  const reaches = new Set(events.map((event) => event.reach).filter((reach) => reach !== null))
  if (reaches.size > 0) kept.deleteWhere(({ environment }) => reaches.has('') || reaches.has(environment))
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

/**
 * The hash of the content makes the tag true whatever happened to the database without anybody noticing. It is taken of
 * the text without `meta`, which holds it.
 */
function render(snapshot: Snapshot, query: Record<string, unknown>, key: string, inline: boolean): Download {
  const { revision } = snapshot
  const queryHash = shortHash(key, 8)
  const content = inline ? { features: withConstraints(snapshot) } : snapshotContent(snapshot)
  const document: Omit<ClientFeatures, 'meta'> = { version: 2, ...content, query }
  const text = JSON.stringify(document)
  const etag = tagOf({ queryHash, number: revision.id, epoch: revision.epoch, contentHash: shortHash(text, 16) })
  const meta: ClientFeatures['meta'] = { revisionId: revision.id, etag, queryHash }
  return { revision, etag, body: Buffer.from(`${text.slice(0, -1)},"meta":${JSON.stringify(meta)}}`) }
}

function shortHash(text: string, digits: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits)
}

function snapshotContent({ features, segments }: Snapshot): { features: Feature[]; segments: Segment[] } {
  return { features: [...features], segments: [...segments] }
}

function withConstraints({ features, segments }: Snapshot): Feature[] {
  const byId = new Map(segments.map((segment) => [segment.id, segment.constraints]))
  const inlined = ({ segments: ids, ...strategy }: Strategy): Strategy => {
    if (ids === undefined) return strategy
    const constraints = [...(strategy.constraints ?? []), ...ids.flatMap((id) => byId.get(id) ?? [])]
    return { ...strategy, constraints }
  }
  return features.map((feature) => ({ ...feature, strategies: feature.strategies.map(inlined) }))
}
