import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Installation } from '@burgee/import/model/installation'
import { payloadNotes } from '@burgee/import/model/payload-notes'
import type { ImportSource } from '@burgee/import/model/source'
import type { Logger } from '@burgee/kit/log/logger'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { postgresConfigOf } from '../database-options.ts'
import { KEPT_NAME } from '../kept-place.ts'
import { type DatabaseChoice, dataPathsOf, openAsGuest, openDatabase } from '../open-database.ts'
import type { ServerOptions } from '../options.ts'
import { sealingOf } from '../server-parts.ts'
import { createBroadcast } from '../services/broadcast.ts'
import { execute } from '../services/execute.ts'
import { importInstallation, TrialOver } from '../services/import/import-installation.ts'
import type { ImportOrder, ImportReport } from '../services/import/import-order.ts'
import { type VerifiedImport, type VerifyOrder, verifyImport } from '../services/import/verify-import.ts'
import { weakAccountNotes } from '../services/import/weak-accounts.ts'
import type { Database } from '../store/database.ts'
import type { Author } from '../store/events/events.ts'

/** What an import on the command line works with. */
export interface ImportDeps {
  /** Which database it goes into, and how secrets are kept there. */
  readonly options: DatabaseChoice & Pick<ServerOptions, 'secretKey' | 'secretKeyPrevious' | 'apiTokenSecrets'>
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Unpredictable bytes. */
  readonly random: (length: number) => Uint8Array
  readonly logger: Logger
}

const KEY_BYTES = 32
const AUTHOR: Author = { name: 'burgee import', userId: -1337, address: null }

/** An import, and how it is verified afterwards: undefined leaves that out. */
export interface OperatorOrder extends Omit<ImportOrder, 'installation' | 'renewEpoch'> {
  readonly verify?: Pick<VerifyOrder, 'asked' | 'progress'> | undefined
}

/** What came of it; a trial has nothing to verify. */
export interface OperatorReport extends ImportReport {
  readonly verified?: VerifiedImport | undefined
}

/**
 * Reads a source and brings what it holds into the database that the options name, all or nothing; no server may be running
 * on an embedded one. A trial writes nothing, and makes no database. Throws SourceRefused, Problem where the target is not
 * what the order asks for, and what keeps the database from opening; what was imported stays where it cannot be verified.
 */
export async function runImport(
  deps: ImportDeps,
  source: ImportSource,
  { verify, ...order }: OperatorOrder,
): Promise<OperatorReport> {
  const installation = await readWithAccounts(source)
  const sealing = sealingOf(order.isTrial ? withoutKeyFile(deps) : deps)
  const target = order.isTrial ? await openForTrial(deps) : await openTarget(deps)
  try {
    const { db } = target
    const world = { ...deps, ...sealing, monotonic: PROCESS_CLOCK, db, broadcast: createBroadcast(deps.logger) }
    const report = await execute(world, AUTHOR, importInstallation, {
      ...{ ...order, installation, renewEpoch: db.renewEpoch },
    })
    forgetKept(deps.options)
    if (verify === undefined) return report
    const verified = await verifyImport(db, { ...verify, source, installation, notes: report.notes })
    return { ...report, verified }
  } catch (error) {
    if (error instanceof TrialOver) return error.report
    throw error
  } finally {
    await target.close()
  }
}

/** Reads a source, and names in its notes payloads that nobody can read, and accounts with the other server's default password. */
async function readWithAccounts(source: ImportSource): Promise<Installation> {
  const installation = await source.read()
  return {
    ...installation,
    notes: [...installation.notes, ...payloadNotes(installation), ...(await weakAccountNotes(installation))],
  }
}

/** A trial makes no file: where a key would be made, one is made up that goes with it. */
function withoutKeyFile(deps: ImportDeps): ImportDeps {
  const { options, random } = deps
  if (options.secretKey !== undefined || postgresConfigOf(options) !== undefined) return deps
  return { ...deps, options: { ...options, secretKey: Buffer.from(random(KEY_BYTES)).toString('base64') } }
}

interface Target {
  readonly db: Database
  close(): Promise<void>
}

async function openTarget({ options, clock, logger }: ImportDeps): Promise<Target> {
  const warn = (line: string): void => logger.warn(line)
  const db = await openDatabase({ ...options, databaseWait: 0 }, { clock, warn })
  return { db, close: () => db.close() }
}

/** The database as it is, beside a server that may be running; where there is none, an empty one that goes again. */
async function openForTrial(deps: ImportDeps): Promise<Target> {
  const { options, clock } = deps
  const isThere = postgresConfigOf(options) !== undefined || existsSync(dataPathsOf(options.dataDir).file)
  if (isThere) {
    const db = await openAsGuest(options, { clock })
    return { db, close: () => db.close() }
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'burgee-trial-'))
  const { db } = await openTarget({ ...deps, options: { ...options, dataDir } })
  const close = async (): Promise<void> => {
    await db.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return { db, close }
}

/** Flags of before must not be served where the database cannot be read. */
function forgetKept(options: DatabaseChoice): void {
  if (postgresConfigOf(options) === undefined) rmSync(join(options.dataDir, KEPT_NAME), { force: true })
}
