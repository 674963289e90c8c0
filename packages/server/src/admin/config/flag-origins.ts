import type { ConfigOrigin } from '@burgee/protocol/administration/config-origin'
import type { EventType } from '@burgee/protocol/event'
import type { StoredEvent } from '@burgee/storage/queries/events/events'
import { listOrigins, type OriginRow } from '@burgee/storage/queries/transfer/config-origins'
import { isoOrNull } from '../../core/iso-time.ts'
import type { FlagOrigins, OriginIndex } from '../../core/managed-objects.ts'
import type { World } from '../../core/world.ts'
import { getOriginKey } from './drift.ts'

/** Types of events after which origins can differ. */
const CHANGES: ReadonlySet<string> = new Set<EventType>([
  'config-applied',
  'config-drift',
  'feature-deleted',
  'segment-deleted',
  'project-deleted',
  'instance-imported',
])

/**
 * Creates a cache of the files that manage objects. One query reads all of them, for the first flag page or change
 * after an apply or a change by hand.
 */
export function createFlagOrigins({ db, broadcast }: Pick<World, 'db' | 'broadcast'>): FlagOrigins {
  let version = 0
  let kept: { readonly version: number; readonly rows: Promise<OriginIndex> } | undefined
  const invalidate = () => {
    version += 1
  }
  const unsubscribe = broadcast.subscribe((events: readonly StoredEvent[]) => {
    if (events.some(({ type }) => CHANGES.has(type))) invalidate()
  }, invalidate)
  const read = async () => Map.groupBy(await listOrigins(db.reader), getOriginKey)
  const current = async (): Promise<OriginIndex> => {
    for (;;) {
      const entry = kept?.version === version ? kept : { version, rows: read() }
      kept = entry
      try {
        const rows = await entry.rows
        // origins changed during the query, so repeat it
        if (entry.version === version) return rows
      } catch (error) {
        if (kept === entry) kept = undefined
        throw error
      }
    }
  }
  return {
    current,
    async find({ project, feature }) {
      const rows = (await current()).get(getOriginKey({ kind: 'Flag', name: feature })) ?? []
      const row = rows.find((one) => one.project === project)
      return row === undefined ? undefined : { type: 'git', ...toSource(row) }
    },
    close: unsubscribe,
  }
}

/** Converts an origin to its admin API form. */
export function toConfigOrigin(row: OriginRow): ConfigOrigin {
  return { project: row.project, kind: row.kind, name: row.name, ...toSource(row) }
}

function toSource({ repository, commit_id: commit, path, applied_at, drifted_at }: OriginRow) {
  return { repository, commit, path, appliedAt: new Date(applied_at).toISOString(), driftedAt: isoOrNull(drifted_at) }
}
