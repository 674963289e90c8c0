import type { Content } from '@burgee/kit/http/content'
import type { PlaygroundRequest } from '@burgee/protocol/playground'
import type { Tx } from '@burgee/storage/database'
import { readSegments } from '@burgee/storage/document-flags'
import { listChanges } from '@burgee/storage/queries/change-requests/changes'
import type { RequestRow } from '@burgee/storage/queries/change-requests/requests'
import { readFlagRecords } from '@burgee/storage/queries/flags/flag-records'
import type { Actor } from '../../core/access/rights/rights.ts'
import { type Change, dryRun } from '../../core/execute.ts'
import type { World } from '../../core/world.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { CatalogFlag } from '../catalog/catalog-flag.ts'
import { FlagTable } from '../catalog/flag-table.ts'
import { createExplainEngines } from '../playground/explain-engines.ts'
import { createPlayground, type PlaygroundCaller } from '../playground/playground.ts'
import { applyChanges } from './apply-changes.ts'

/** Playground query for the flags as they would be after a change request is applied. */
export interface ProposedQuery {
  readonly row: RequestRow
  readonly actor: Actor
  readonly body: PlaygroundRequest
}

/** Evaluates flags for a context as if a change request were applied now, with explanations. */
export interface ProposedPlayground {
  /**
   * Returns a `PlaygroundResponse`. Rejects with ValidationError for an invalid query, and with ConflictError for a
   * change request that cannot be applied.
   */
  advanced(question: ProposedQuery, asker: PlaygroundCaller): Promise<Content>
}

/**
 * Creates the playground. The playground applies the request in a transaction that is rolled back. Queries run one at a
 * time, because each query compiles the flags again.
 */
export function createProposedPlayground(world: World, catalog: Pick<Catalog, 'flags'>): ProposedPlayground {
  let last: Promise<unknown> = Promise.resolve()
  const answer = async ({ row, actor, body }: ProposedQuery, asker: PlaygroundCaller) => {
    const proposed = await dryRun(world, actor, applyAll, { input: row, look: (tx) => readProposedRecords(tx, row) })
    const moment = await catalog.flags()
    const flags = new Map([...moment.table.values()].map((flag) => [flag.name, flag]))
    for (const flag of proposed.flags) flags.set(flag.name, flag)
    const state = { ...moment, table: new FlagTable(flags.values(), proposed.segments) }
    const playground = createPlayground({
      catalog: { flags: async () => state },
      engines: createExplainEngines(world),
    })
    return playground.advanced(body, asker)
  }
  return {
    advanced(question, asker) {
      const own = last.then(() => answer(question, asker))
      last = own.catch(() => {})
      return own
    },
  }
}

const applyAll: Change<RequestRow, void> = async (tx, row, moment) => {
  return { result: undefined, events: await applyChanges(tx, row, moment) }
}

async function readProposedRecords(tx: Tx, { id }: RequestRow) {
  const names = [...new Set((await listChanges(tx, [id])).flatMap(({ feature_name }) => feature_name ?? []))]
  const records = await readFlagRecords(tx, names)
  return { flags: [...records.values()].map((record) => new CatalogFlag(record, 0)), segments: await readSegments(tx) }
}
