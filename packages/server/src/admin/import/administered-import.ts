import { createHash } from 'node:crypto'
import type { Installation } from '@burgee/import/model/installation'
import { type ImportSource, SourceRefused } from '@burgee/import/model/source'
import type { ImportPlan, ImportPlanRequest, ImportRequest, ImportResult } from '@burgee/protocol/administration/import'
import { Problem } from '@burgee/protocol/problem'
import type { Tx } from '@burgee/storage/database'
import { listGuardedEnvironments } from '@burgee/storage/queries/change-requests/change-request-settings'
import type { ChangeAuthor } from '../../core/access/rights/rights.ts'
import { type Change, execute } from '../../core/execute.ts'
import type { World } from '../../core/world.ts'
import type { DeliveryMeans } from '../integrations/integration-delivery.ts'
import { importInstallation, TrialRollback } from './import-installation.ts'
import type { ImportOrder, ImportReport } from './import-order.ts'
import { createImportSource } from './import-source.ts'
import { type VerifiedImport, verifyImport } from './verify-import.ts'

/** Services that imports by administrators depend on. */
export type ImportWorld = World & { readonly deliveryMeans: Pick<DeliveryMeans, 'guard'> }

const MAX_DURATION_MS = 120_000
const MAX_NOTES = 1000
const MAX_DIFFERENCES = 100
/**
 * Maximum number of evaluations in a comparison. With many flags and environments, fewer contexts are used, but at
 * least one per flag.
 */
const MAX_EVALUATIONS = 100_000
const CONTEXTS = { least: 1, most: 1000 }
/** Maximum number of contexts made for a single flag. */
const MAX_TARGETED_CONTEXTS = 300

/**
 * Service for imports by administrators into a running server. Like `burgee import --merge`, an import adds to the
 * existing data, without history and with integrations disabled. A process runs one import at a time, because each
 * import has all its data in memory.
 */
export class AdministeredImports {
  readonly #world: ImportWorld
  #isBusy = false

  constructor(world: ImportWorld) {
    this.#world = world
  }

  /**
   * Returns the effects of an import without writing anything. If the import is impossible, throws a Problem that
   * explains the reason.
   */
  plan(wish: ImportPlanRequest, author: ChangeAuthor): Promise<ImportPlan> {
    return this.#reading(wish, async (source) => {
      const installation = await source.read()
      const report = await this.#dryRun(this.#order(wish, installation, true), author)
      return { plan: computeDigest(installation, report), ...toEventData(installation, report) }
    })
  }

  /** Performs an import exactly as planned. Throws ConflictError if its effects would now differ from the plan. */
  run({ plan, ...wish }: ImportRequest, author: ChangeAuthor): Promise<ImportResult> {
    return this.#reading(wish, async (source) => {
      const installation = await source.read()
      const asPlanned: Change<ImportOrder, ImportReport> = async (tx, order, moment) => {
        const outcome = await importInstallation(tx, order, moment)
        if (computeDigest(installation, outcome.result) === plan) return outcome
        throw new Problem('ConflictError', 'The flags have changed since the plan was made: request a new plan')
      }
      const report = await execute(
        this.#world,
        author,
        withGuardCheck(asPlanned),
        this.#order(wish, installation, false),
      )
      return { ...toEventData(installation, report), verified: await this.#verified(source, installation, report) }
    })
  }

  /** Compares the import with its source. Never rejects, because the import has already been committed. */
  async #verified(
    source: ImportSource,
    installation: Installation,
    { notes }: ImportReport,
  ): Promise<ImportResult['verified']> {
    const { db, clock, logger } = this.#world
    const requested = { ...getSampling(installation), seed: 1, nowMs: clock() }
    try {
      const order = { source, installation, notes, asked: requested, progress: () => {} }
      return toVerification(await verifyImport(db, order), requested.contexts)
    } catch (error) {
      if (!(error instanceof SourceRefused)) logger.warn('Cannot compare an import with its source', error)
      const failure = error instanceof SourceRefused ? error.message : 'The comparison failed on this server'
      return {
        equal: false,
        flags: 0,
        contexts: 0,
        environments: 0,
        differences: [],
        told: [],
        against: 'reading',
        failure,
      }
    }
  }

  async #dryRun(order: ImportOrder, author: ChangeAuthor): Promise<ImportReport> {
    try {
      return await execute(this.#world, author, withGuardCheck(importInstallation), order)
    } catch (error) {
      if (error instanceof TrialRollback) return error.report
      throw error
    }
  }

  #order({ closeUnguarded = false }: ImportPlanRequest, installation: Installation, isTrial: boolean): ImportOrder {
    return {
      installation,
      isTrial,
      mode: 'merge',
      events: 'none',
      integrationsOn: false,
      closeUnguarded,
      progress: () => {},
      // no new epoch: a merge does not change the meaning of existing event ids
      renewEpoch: async () => {},
    }
  }

  async #reading<T>(wish: ImportPlanRequest, work: (source: ImportSource) => Promise<T>): Promise<T> {
    const { clock, deliveryMeans } = this.#world
    const ending = AbortSignal.timeout(MAX_DURATION_MS)
    const source = createImportSource(wish, { clock, guard: deliveryMeans.guard, ending })
    if (this.#isBusy) throw new Problem('ConflictError', 'Another import is running: try again when it has finished')
    this.#isBusy = true
    try {
      return await work(source)
    } catch (error) {
      if (error instanceof SourceRefused) throw new Problem('ValidationError', error.message)
      throw error
    } finally {
      this.#isBusy = false
      await source.close()
    }
  }
}

/**
 * Wraps an import so that it rejects flags that would be imported into protected environments, because no one has
 * reviewed the import.
 */
function withGuardCheck(change: Change<ImportOrder, ImportReport>): Change<ImportOrder, ImportReport> {
  return async (tx, order, moment) => {
    await requireUnguarded(tx, order.installation)
    return change(tx, order, moment)
  }
}

async function requireUnguarded(tx: Tx, { flags }: Installation): Promise<void> {
  const places = await listGuardedEnvironments(tx, [...new Set(flags.map(({ project }) => project))])
  const [place] = places.filter(({ project, environment }) =>
    flags.some((flag) => flag.project === project && flag.states.some((state) => state.environment === environment)),
  )
  if (place === undefined) return
  const words = `The environment "${place.environment}" of the project "${place.project}" requires change requests: import the flags into another project.`
  throw new Problem('InvalidOperationError', words)
}

/**
 * Properties that may differ each time the source is read and that the plan does not show, such as the times of
 * reading, creation and last use.
 */
const VOLATILE_PROPERTIES = new Set(['readAt', 'createdAt', 'seenAt', 'lastSeenAt', 'lastEventId'])

/** Returns a digest of the imported data and of the effects of the import. */
function computeDigest(installation: Installation, report: ImportReport): string {
  const keep = (key: string, value: unknown): unknown => (VOLATILE_PROPERTIES.has(key) ? undefined : value)
  return createHash('sha256')
    .update(JSON.stringify([installation, report.counts, report.notes], keep))
    .digest('hex')
}

function toEventData({ origin }: Installation, { counts, notes }: ImportReport) {
  return {
    source: origin.name,
    counts: counts.map((count) => ({ ...count })),
    notes: notes.slice(0, MAX_NOTES).map((note) => ({ ...note })),
    noteCount: notes.length,
  }
}

/** Returns the total number of contexts, and the number of additional contexts to make for each flag. */
function getSampling({ flags }: Installation): { contexts: number; mostAimed: number } {
  const environments = new Set(flags.flatMap(({ states }) => states.map(({ environment }) => environment)))
  const each = Math.floor(MAX_EVALUATIONS / Math.max(1, flags.length * environments.size))
  const mostAimed = Math.min(MAX_TARGETED_CONTEXTS, Math.floor(each / 2))
  return { contexts: Math.max(CONTEXTS.least, Math.min(CONTEXTS.most, each - mostAimed)), mostAimed }
}

function toVerification(
  { parts, reported: named, isFromSource }: VerifiedImport,
  contexts: number,
): ImportResult['verified'] {
  const differences = parts.flatMap(({ environment, differences: own }) =>
    own.map(({ flag = '', says, context }) => ({
      environment,
      flag,
      words: [...says, ...(context === undefined ? [] : [`for ${JSON.stringify(context)}`])].join('; '),
    })),
  )
  return {
    equal: differences.length === 0,
    contexts,
    environments: parts.length,
    flags: new Set(parts.flatMap(({ flags }) => flags)).size,
    differences: differences.slice(0, MAX_DIFFERENCES),
    told: [...named],
    against: isFromSource ? 'source' : 'reading',
  }
}
