import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Installation } from '@burgee/import/model/installation'
import { listPayloadNotes } from '@burgee/import/model/payload-notes'
import type { ImportSource } from '@burgee/import/model/source'
import type { Logger } from '@burgee/kit/log/logger'
import { PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import type { Database } from '@burgee/storage/database'
import { allowLongPauses } from '@burgee/storage/long-pauses'
import { importInstallation, TrialRollback } from '../../admin/import/import-installation.ts'
import type { ImportOrder, ImportReport } from '../../admin/import/import-order.ts'
import { type Verification, type VerifiedImport, verifyImport } from '../../admin/import/verify-import.ts'
import { findWeakAccounts } from '../../admin/import/weak-accounts.ts'
import type { SystemActor } from '../../core/access/rights/rights.ts'
import { type Change, execute } from '../../core/execute.ts'
import { toPostgresConfig } from '../../core/options/database-options.ts'
import type { ServerOptions } from '../../core/options/options.ts'
import { createBroadcast } from '../../delivery/events/broadcast.ts'
import { createSealing } from '../composition.ts'
import { type DatabaseChoice, getDataPaths, openAsGuest, openDatabase } from '../open-database.ts'
import { SNAPSHOT_FILE_NAME } from '../snapshot-location.ts'

/** Dependencies of an import on the command line. */
export interface ImportDeps {
  /** Options that identify the target database and control how it stores secrets. */
  readonly options: DatabaseChoice & Pick<ServerOptions, 'secretKey' | 'secretKeyPrevious' | 'apiTokenSecrets'>
  /** Returns milliseconds since 1970. */
  readonly clock: () => number
  /** Returns unpredictable bytes. */
  readonly random: (length: number) => Uint8Array
  readonly logger: Logger
}

const KEY_BYTES = 32
const AUTHOR: SystemActor = { isSystem: true, name: 'burgee import', userId: -1337, address: null }

/** Options of an import. The imported flags are verified only if `verify` is set. */
export interface OperatorImportOrder extends Omit<ImportOrder, 'installation' | 'renewEpoch'> {
  readonly verify?: Pick<Verification, 'asked' | 'progress'> | undefined
}

/** Report of an import. The report of a dry run contains no verification, because nothing was imported. */
export interface OperatorImportReport extends ImportReport {
  readonly verified?: VerifiedImport | undefined
}

/**
 * Imports a source into the database that the options identify. Imports either everything or nothing. No server may be
 * running on an embedded database. A dry run writes nothing and creates no database. Throws SourceRefused, a Problem if
 * the target does not match the options, and the errors of opening the database. If the verification fails, the
 * imported data is not removed.
 */
export async function runImport(
  deps: ImportDeps,
  source: ImportSource,
  { verify, ...order }: OperatorImportOrder,
): Promise<OperatorImportReport> {
  const installation = await readWithAccounts(source)
  const sealing = createSealing(order.isTrial ? withoutKeyFile(deps) : deps)
  const target = order.isTrial ? await openForTrial(deps) : await openTarget(deps)
  try {
    const { db } = target
    const world = { ...deps, ...sealing, monotonic: PROCESS_CLOCK, db, broadcast: createBroadcast(deps.logger) }
    const report = await execute(world, AUTHOR, importPatiently, {
      ...order,
      installation,
      renewEpoch: db.renewEpoch,
    })
    removeSnapshot(deps.options)
    if (verify === undefined) return report
    const verified = await verifyImport(db, { ...verify, source, installation, notes: report.notes })
    return { ...report, verified }
  } catch (error) {
    if (error instanceof TrialRollback) return error.report
    throw error
  } finally {
    await target.close()
  }
}

/** Imports an installation in a transaction that may take minutes of computation between two statements. */
const importPatiently: Change<ImportOrder, ImportReport> = async (tx, order, context) => {
  await allowLongPauses(tx)
  return importInstallation(tx, order, context)
}

/**
 * Reads a source. Adds notes about payloads that cannot be parsed, and about accounts with the default password of
 * Unleash.
 */
async function readWithAccounts(source: ImportSource): Promise<Installation> {
  const installation = await source.read()
  return {
    ...installation,
    notes: [...installation.notes, ...listPayloadNotes(installation), ...(await findWeakAccounts(installation))],
  }
}

/** Uses a temporary key in place of a key file, because a dry run creates no files. */
function withoutKeyFile(deps: ImportDeps): ImportDeps {
  const { options, random } = deps
  if (options.secretKey !== undefined || toPostgresConfig(options) !== undefined) return deps
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

/**
 * Opens the database for a dry run, even while a server is running on it. If there is no database, opens a temporary
 * empty database.
 */
async function openForTrial(deps: ImportDeps): Promise<Target> {
  const { options, clock } = deps
  const isThere = toPostgresConfig(options) !== undefined || existsSync(getDataPaths(options.dataDir).file)
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

/**
 * Removes the snapshot on disk. Otherwise a server that cannot read the database would serve flags from before the
 * import.
 */
function removeSnapshot(options: DatabaseChoice): void {
  if (toPostgresConfig(options) === undefined) rmSync(join(options.dataDir, SNAPSHOT_FILE_NAME), { force: true })
}
