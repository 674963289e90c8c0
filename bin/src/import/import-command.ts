import { randomBytes } from 'node:crypto'
import { createLogger } from '@burgee/kit/log/logger'
import { listSecrets, type Parsed, parseOptions } from '@burgee/kit/options/options'
import type { ImportMode } from '@burgee/server/admin/import/import-order'
import { runImport as bringIn, type OperatorImportOrder } from '@burgee/server/boot/operator/import'
import { formatResult } from '../json-option.ts'
import type { CommandOutput } from '../running.ts'
import { IMPORT_OPTIONS } from './import-options.ts'
import { createImportProgress } from './import-progress.ts'
import { createImportSource } from './import-sources.ts'
import { formatReport } from './import-text.ts'
import { EXIT_CODES, formatVerified, getExitCode, toVerifiedJson } from './verified-text.ts'

/** Size and seed of the sample of contexts; the same as in `burgee verify`. */
const SAMPLE = { contexts: 1000, seed: 1 }
const DAY_MS = 86_400_000
const MS_PER_SECOND = 1000

type Options = Parsed<typeof IMPORT_OPTIONS>
type Progress = ReturnType<typeof createImportProgress>['report']

/**
 * Runs `burgee import --from-… [options]`. Returns the output with one of `EXIT_CODES`. Throws if the import is
 * impossible; nothing has been changed in this case.
 */
export async function runImport(argv: readonly string[]): Promise<CommandOutput> {
  const options = parseOptions(IMPORT_OPTIONS, { env: process.env, argv })
  const source = createImportSource(options, Date.now)
  const progress = createImportProgress(process.stderr, Date.now)
  const begun = performance.now()
  try {
    const order = buildOrder(options, progress.report)
    const logger = createLogger({
      level: 'warn',
      json: false,
      secrets: () => listSecrets(IMPORT_OPTIONS, options),
      clock: Date.now,
      write: (line) => process.stderr.write(line),
    })
    const report = await bringIn({ options, clock: Date.now, random: randomBytes, logger }, source, order)
    progress.end()
    const seconds = Math.round((performance.now() - begun) / MS_PER_SECOND)
    const { verified } = report
    const json = {
      dryRun: options.dryRun,
      seconds,
      ...report,
      ...(verified === undefined ? {} : { verified: toVerifiedJson(verified, SAMPLE.seed) }),
    }
    const text = formatResult(options.json, json, [
      ...formatReport(report),
      '',
      options.dryRun
        ? 'Nothing was written: this was a dry run. The import is possible.'
        : `Imported in ${seconds} s. The source was only read and is unchanged.`,
      ...(verified === undefined ? [] : formatVerified(verified)),
    ])
    return { code: options.dryRun ? EXIT_CODES.equal : getExitCode(report), text }
  } finally {
    progress.end()
    await source.close()
  }
}

function buildOrder(options: Options, progress: Progress): OperatorImportOrder {
  const { events, integrations, dryRun, closeUnguarded } = options
  return {
    mode: parseMode(options),
    integrationsOn: integrations === 'on',
    progress,
    isTrial: dryRun,
    closeUnguarded,
    verify: options.verify
      ? {
          asked: { ...SAMPLE, nowMs: Date.now() },
          progress: (done, of) => progress('environments verified', done, of),
        }
      : undefined,
    events: typeof events === 'number' ? { since: Date.now() - events * DAY_MS } : events,
  }
}

function parseMode({ merge, update }: Options): ImportMode {
  if (merge && update) throw new Error('--merge and --update exclude each other')
  if (merge) return 'merge'
  return update ? 'update' : 'fresh'
}
