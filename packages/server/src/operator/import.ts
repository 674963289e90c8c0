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

/** Dependencies of an import on the command line. */
export interface ImportDeps {
  /** Target database, and how it stores secrets. */
  readonly options: DatabaseChoice & Pick<ServerOptions, 'secretKey' | 'secretKeyPrevious' | 'apiTokenSecrets'>
  /** Returns milliseconds since 1970. */
  readonly clock: () => number
  /** Returns unpredictable bytes. */
  readonly random: (length: number) => Uint8Array
  readonly logger: Logger
}

const KEY_BYTES = 32
const AUTHOR: Author = { name: 'burgee import', userId: -1337, address: null }

/** Options of an import; without `verify` the result is not verified. */
export interface OperatorOrder extends Omit<ImportOrder, 'installation' | 'renewEpoch'> {
  readonly verify?: Pick<VerifyOrder, 'asked' | 'progress'> | undefined
}

/** Report of an import; a trial has nothing to verify. */
export interface OperatorReport extends ImportReport {
  readonly verified?: VerifiedImport | undefined
}

/**
 * Imports a source into the database that the options name, all or nothing. No server may be running on an embedded
 * database. A trial writes nothing and creates no database. Throws SourceRefused, Problem if the target does not meet
 * the order, and errors that keep the database from opening. Imported data stays if the verification fails.
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

/**
 * Reads a source. Adds notes about unreadable payloads, and about accounts with the other server's default password.
 */
async function readWithAccounts(source: ImportSource): Promise<Installation> {
  const installation = await source.read()
  return {
    ...installation,
    notes: [...installation.notes, ...payloadNotes(installation), ...(await weakAccountNotes(installation))],
  }
}

/** Replaces the key file with a temporary key if a new key file would be created: a trial creates no files. */
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

/** Opens the database for a trial, possibly beside a running server; if there is none, a temporary empty one. */
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

/** Removes the snapshot: previous flags must not be served if the database cannot be read. */
function forgetKept(options: DatabaseChoice): void {
  if (postgresConfigOf(options) === undefined) rmSync(join(options.dataDir, KEPT_NAME), { force: true })
}
