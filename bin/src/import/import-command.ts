import { randomBytes } from 'node:crypto'
import { createLogger } from '@burgee/kit/log/logger'
import { type Parsed, parseOptions, secretsOf } from '@burgee/kit/options/options'
import { runImport as bringIn, type OperatorOrder } from '@burgee/server/operator/import'
import type { ImportMode } from '@burgee/server/services/import/import-order'
import { resultText } from '../json-option.ts'
import type { Finished } from '../running.ts'
import { IMPORT_OPTIONS } from './import-options.ts'
import { importProgress } from './import-progress.ts'
import { sourceOf } from './import-sources.ts'
import { reportLines } from './import-text.ts'
import { isProven, verifiedJson, verifiedLines } from './verified-text.ts'

/** Imported, and not the same. */
const DIFFERS = 2
/** As `burgee verify` has them. */
const SAMPLE = { contexts: 1000, seed: 1 }
const DAY_MS = 86_400_000
const MS_PER_SECOND = 1000

type Options = Parsed<typeof IMPORT_OPTIONS>
type Progress = ReturnType<typeof importProgress>['tell']

/**
 * `burgee import --from-… [options]`: what to print; code 2 where it was imported, and differs in what the report does not
 * tell of. Throws what keeps it from being done; nothing is changed then.
 */
export async function runImport(argv: readonly string[]): Promise<Finished> {
  const options = parseOptions(IMPORT_OPTIONS, { env: process.env, argv })
  const source = sourceOf(options, Date.now)
  const progress = importProgress(process.stderr, Date.now)
  const begun = performance.now()
  try {
    const order = orderOf(options, progress.tell)
    const logger = createLogger({
      ...{ level: 'warn', json: false, secrets: () => secretsOf(IMPORT_OPTIONS, options), clock: Date.now },
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
      ...(verified === undefined ? {} : { verified: verifiedJson(verified, SAMPLE.seed) }),
    }
    const text = resultText(options.json, json, [
      ...reportLines(report),
      '',
      options.dryRun
        ? 'Nothing was written: this was a dry run. The import can be done.'
        : `Imported in ${seconds} s. The source was only read, so that it can go on as before.`,
      ...(verified === undefined ? [] : verifiedLines(verified)),
    ])
    return { code: verified === undefined || isProven(verified) ? 0 : DIFFERS, text }
  } finally {
    progress.end()
    await source.close()
  }
}

function orderOf(options: Options, progress: Progress): OperatorOrder {
  const { events, integrations, dryRun } = options
  return {
    ...{ mode: modeOf(options), integrationsOn: integrations === 'on', progress, isTrial: dryRun },
    verify: options.verify
      ? {
          asked: { ...SAMPLE, nowMs: Date.now() },
          progress: (done, of) => progress('environments verified', done, of),
        }
      : undefined,
    events: typeof events === 'number' ? { since: Date.now() - events * DAY_MS } : events,
  }
}

function modeOf({ merge, update }: Options): ImportMode {
  if (merge && update) throw new Error('--merge and --update exclude each other')
  if (merge) return 'merge'
  return update ? 'update' : 'fresh'
}
