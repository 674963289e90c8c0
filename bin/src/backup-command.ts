import { type OptionTable, type Parsed, parseOptions } from '@burgee/kit/options/options'
import { backUp } from '@burgee/server/boot/operator/backup'
import { restore } from '@burgee/server/boot/operator/restore'
import { toPostgresConfig } from '@burgee/server/core/options/database-options'
import type { Position } from '@burgee/storage/epochs'
import { DATABASE_LOCATION_OPTIONS } from './database-location-options.ts'
import { formatResult, JSON_OPTION } from './json-option.ts'
import type { CommandOutput } from './running.ts'

/** Options of `burgee backup` and `burgee restore`. */
export const BACKUP_OPTIONS = { ...DATABASE_LOCATION_OPTIONS, ...JSON_OPTION } satisfies OptionTable

/** Exit code for a PostgreSQL database, which is backed up with PostgreSQL's own tools. */
const NOT_SUPPORTED = 2

/** Runs `burgee backup FILE [options]`. Returns the output. */
export async function runBackup(argv: readonly string[]): Promise<CommandOutput | string> {
  const { file, options } = readArguments('backup', argv)
  if (toPostgresConfig(options) !== undefined) {
    return {
      code: NOT_SUPPORTED,
      text: 'This database is PostgreSQL: back it up with pg_dump; servers may be running.',
    }
  }
  const { position, bytes, clientKey, secretKey } = backUp(options.dataDir, file)
  const keys = { ...(clientKey === undefined ? {} : { clientKey }), ...(secretKey === undefined ? {} : { secretKey }) }
  return formatResult(options.json, { file, bytes, event: position.id, ...keys }, [
    `Backed up ${options.dataDir} to ${file}: ${bytes} bytes, ${describePosition(position)}.`,
    ...(clientKey === undefined ? [] : [`The client key of burgee start is in ${clientKey}.`]),
    ...(secretKey === undefined ? [] : [`The encryption key of stored secrets is in ${secretKey}.`]),
    `These files contain secrets; only this user can read them. To restore, stop the server and run: burgee restore ${file}`,
  ])
}

/** Runs `burgee restore FILE [options]`. Returns the output. */
export async function runRestore(argv: readonly string[]): Promise<CommandOutput | string> {
  const { file, options } = readArguments('restore', argv)
  if (toPostgresConfig(options) !== undefined) {
    const text = 'This database is PostgreSQL: stop the servers and restore it with pg_restore --single-transaction.'
    return { code: NOT_SUPPORTED, text }
  }
  const { position, before, hasClientKey, hasSecretKey } = await restore(file, {
    dataDir: options.dataDir,
    clock: Date.now,
  })
  const kept = before === undefined ? {} : { before }
  return formatResult(
    options.json,
    { file, dataDir: options.dataDir, event: position.id, ...kept, hasClientKey, hasSecretKey },
    [
      `Restored ${file} into ${options.dataDir}: ${describePosition(position)}.`,
      ...(before === undefined
        ? []
        : [`The previous database was moved to ${before}; delete it when you no longer need it.`]),
      ...(hasClientKey ? ['The client key of burgee start was restored too.'] : []),
      ...(hasSecretKey ? ['The encryption key of stored secrets was restored too.'] : []),
      'The next start begins a new epoch: SDKs and proxies download everything again.',
    ],
  )
}

interface Arguments {
  readonly file: string
  readonly options: Parsed<typeof BACKUP_OPTIONS>
}

function readArguments(command: string, argv: readonly string[]): Arguments {
  const [file, ...rest] = argv
  if (file === undefined || file.startsWith('-')) throw new Error(`Name the file: burgee ${command} FILE [options]`)
  return { file, options: parseOptions(BACKUP_OPTIONS, { env: process.env, argv: rest }) }
}

function describePosition({ id, madeAt }: Position): string {
  return madeAt === null ? 'without events' : `up to event ${id} of ${new Date(madeAt).toISOString()}`
}
