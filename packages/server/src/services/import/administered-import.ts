import { createHash } from 'node:crypto'
import type { Installation } from '@burgee/import/model/installation'
import { type ImportSource, SourceRefused } from '@burgee/import/model/source'
import type { ImportPlan, ImportRequest, ImportResult, ImportWish } from '@burgee/protocol/administration/import'
import { Problem } from '@burgee/protocol/problem'
import { guardedPlaces } from '../../store/change-requests/settings.ts'
import type { Tx } from '../../store/database.ts'
import type { Doer } from '../change-requests/guard.ts'
import { type Change, execute } from '../execute.ts'
import type { DeliveryMeans } from '../integrations/delivery.ts'
import type { World } from '../world.ts'
import { importInstallation, TrialOver } from './import-installation.ts'
import type { ImportOrder, ImportReport } from './import-order.ts'
import { type VerifiedImport, verifyImport } from './verify-import.ts'
import { wishedSource } from './wished-source.ts'

/** What imports of administrators work with. */
export type ImportWorld = World & { readonly deliveryMeans: Pick<DeliveryMeans, 'guard'> }

const LONGEST_MS = 120_000
const MOST_NOTES = 1000
const MOST_DIFFERENCES = 100
/** What a comparison may cost: the fewer contexts, the more flags in environments; one of each is always asked. */
const MOST_EVALUATIONS = 100_000
const CONTEXTS = { least: 1, most: 1000 }
/** Contexts that are made for one flag. */
const MOST_AIMED = 300

/**
 * Imports of administrators into a server that runs: they add to what is there, as `burgee import --merge` does, without
 * history and with integrations disabled. One at a time in a process, as each holds all that it brings.
 */
export class AdministeredImports {
  readonly #world: ImportWorld
  #isBusy = false

  constructor(world: ImportWorld) {
    this.#world = world
  }

  /** What an import would do; nothing is written. Throws Problem where it cannot be done. */
  plan(wish: ImportWish, doer: Doer): Promise<ImportPlan> {
    return this.#reading(wish, async (source) => {
      const installation = await source.read()
      const report = await this.#tried(this.#order(wish, installation, true), doer)
      return { plan: digestOf(installation, report), ...told(installation, report) }
    })
  }

  /** Does what a plan said, or nothing: ConflictError where something else would be done by now. */
  carryOut({ plan, ...wish }: ImportRequest, doer: Doer): Promise<ImportResult> {
    return this.#reading(wish, async (source) => {
      const installation = await source.read()
      const asPlanned: Change<ImportOrder, ImportReport> = async (tx, order, moment) => {
        const outcome = await importInstallation(tx, order, moment)
        if (digestOf(installation, outcome.result) === plan) return outcome
        throw new Problem('ConflictError', 'Something has changed since the plan was made: look at a new one')
      }
      const report = await execute(this.#world, doer, unguarded(asPlanned), this.#order(wish, installation, false))
      return { ...told(installation, report), verified: await this.#verified(source, installation, report) }
    })
  }

  /** Never rejects: what was brought in stays, whatever becomes of the comparison. */
  async #verified(
    source: ImportSource,
    installation: Installation,
    { notes }: ImportReport,
  ): Promise<ImportResult['verified']> {
    const { db, clock, logger } = this.#world
    const asked = { ...samplingFor(installation), seed: 1, nowMs: clock() }
    try {
      const order = { source, installation, notes, asked, progress: () => {} }
      return verdict(await verifyImport(db, order), asked.contexts)
    } catch (error) {
      if (!(error instanceof SourceRefused))
        logger.warn('An import could not be compared with what it was made of', error)
      const failure = error instanceof SourceRefused ? error.message : 'The comparison failed on this server'
      return {
        ...{ equal: false, flags: 0, contexts: 0, environments: 0, differences: [], told: [], against: 'reading' },
        failure,
      }
    }
  }

  async #tried(order: ImportOrder, doer: Doer): Promise<ImportReport> {
    try {
      return await execute(this.#world, doer, unguarded(importInstallation), order)
    } catch (error) {
      if (error instanceof TrialOver) return error.report
      throw error
    }
  }

  #order({ closeUnguarded = false }: ImportWish, installation: Installation, isTrial: boolean): ImportOrder {
    return {
      ...{ installation, isTrial, mode: 'merge', events: 'none', integrationsOn: false },
      closeUnguarded,
      progress: () => {},
      // no number of an event becomes another one's
      renewEpoch: async () => {},
    }
  }

  async #reading<T>(wish: ImportWish, work: (source: ImportSource) => Promise<T>): Promise<T> {
    const { clock, deliveryMeans } = this.#world
    const ending = AbortSignal.timeout(LONGEST_MS)
    const source = wishedSource(wish, { clock, guard: deliveryMeans.guard, ending })
    if (this.#isBusy) throw new Problem('ConflictError', 'Another import is under way: try again when it is done')
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

/** An import that brings no flag where changes come by change request only: nobody has reviewed it. */
function unguarded(change: Change<ImportOrder, ImportReport>): Change<ImportOrder, ImportReport> {
  return async (tx, order, moment) => {
    await requireUnguarded(tx, order.installation)
    return change(tx, order, moment)
  }
}

async function requireUnguarded(tx: Tx, { flags }: Installation): Promise<void> {
  const places = await guardedPlaces(tx, [...new Set(flags.map(({ project }) => project))])
  const [place] = places.filter(({ project, environment }) =>
    flags.some((flag) => flag.project === project && flag.states.some((state) => state.environment === environment)),
  )
  if (place === undefined) return
  const words = `The environment "${place.environment}" of the project "${place.project}" takes changes by change request only: bring the flags into another project.`
  throw new Problem('InvalidOperationError', words)
}

/** When something was read, made or asked for last differs from one read to the next, and nobody saw it in the plan. */
const FLEETING = new Set(['readAt', 'createdAt', 'seenAt', 'lastSeenAt', 'lastEventId'])

/** Equal for the same of the same: what is read, and what becomes of it. */
function digestOf(installation: Installation, report: ImportReport): string {
  const keep = (key: string, value: unknown): unknown => (FLEETING.has(key) ? undefined : value)
  return createHash('sha256')
    .update(JSON.stringify([installation, report.counts, report.notes], keep))
    .digest('hex')
}

function told({ origin }: Installation, { counts, notes }: ImportReport) {
  return {
    source: origin.name,
    counts: counts.map((count) => ({ ...count })),
    ...{ notes: notes.slice(0, MOST_NOTES).map((note) => ({ ...note })), noteCount: notes.length },
  }
}

/** How many contexts all flags are asked for, and how many more each of them. */
function samplingFor({ flags }: Installation): { contexts: number; mostAimed: number } {
  const environments = new Set(flags.flatMap(({ states }) => states.map(({ environment }) => environment)))
  const each = Math.floor(MOST_EVALUATIONS / Math.max(1, flags.length * environments.size))
  const mostAimed = Math.min(MOST_AIMED, Math.floor(each / 2))
  return { contexts: Math.max(CONTEXTS.least, Math.min(CONTEXTS.most, each - mostAimed)), mostAimed }
}

function verdict({ parts, told: named, isAsked }: VerifiedImport, contexts: number): ImportResult['verified'] {
  const differences = parts.flatMap(({ environment, differences: own }) =>
    own.map(({ flag = '', says, context }) => ({
      ...{ environment, flag },
      words: [...says, ...(context === undefined ? [] : [`for ${JSON.stringify(context)}`])].join('; '),
    })),
  )
  return {
    ...{ equal: differences.length === 0, contexts, environments: parts.length },
    flags: new Set(parts.flatMap(({ flags }) => flags)).size,
    ...{ differences: differences.slice(0, MOST_DIFFERENCES), told: [...named] },
    against: isAsked ? 'source' : 'reading',
  }
}
