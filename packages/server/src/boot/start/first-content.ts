import { createHash } from 'node:crypto'
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { LARGE_FILE_BYTES, readLargeJson } from '@burgee/kit/files/json-file'
import { NotJson } from '@burgee/kit/files/json-pieces'
import { compileValidator, InvalidRequest } from '@burgee/kit/input/validation'
import type { Logger } from '@burgee/kit/log/logger'
import { FeatureImport } from '@burgee/protocol/administration/feature-transfer'
import type { StateDocument } from '@burgee/protocol/administration/state'
import { Problem } from '@burgee/protocol/problem'
import { RESTRICTIONS } from '@burgee/protocol/targeting/restriction'
import type { Reader, Tx } from '@burgee/storage/database'
import { allowLongPauses } from '@burgee/storage/long-pauses'
import { findSetting } from '@burgee/storage/queries/access/users'
import { importFeatures } from '../../admin/transfer/feature-import.ts'
import { formatWarnings, type ImportWarning } from '../../admin/transfer/import-warnings.ts'
import { parseDocument, UnreadableDocument, validateState } from '../../admin/transfer/state-document.ts'
import { importState } from '../../admin/transfer/state-import.ts'
import { findStateWarnings } from '../../admin/transfer/state-warnings.ts'
import { ADMIN } from '../../core/access/rights/grants.ts'
import type { Rights } from '../../core/access/rights/rights.ts'
import type { ChangeContext, Outcome } from '../../core/execute.ts'
import type { ServerOptions } from '../../core/options/options.ts'
import { ImportLog } from './import-progress-log.ts'

/** File with the initial content of a new database. */
export interface FirstContent {
  /** Reads the file. Throws FirstContentError. */
  read(): ReadContent
  /** Returns the SHA-256 of the file, without parsing it. Throws FirstContentError. */
  digest(): string
}

/** Content of the file, and the choice whether a new database gets the default objects. */
export interface ReadContent {
  readonly document: StateDocument
  /** Flags of one environment, and the project to import them into; undefined if the file is a state document. */
  readonly flags?: FeatureImport | undefined
  readonly drop: boolean
  readonly keep: boolean
  /** SHA-256 of the file, in hex. */
  readonly digest: string
}

/** Thrown for a file that cannot be the initial content; the message names the variable. */
export class FirstContentError extends Error {
  override readonly name = 'FirstContentError'
}

const DIGEST = 'firstContent'
const MAX_NAMED = 5
/** Maximum size of the file. The limit is higher than the limit for requests, because no client is served yet. */
const MAX_FILE_BYTES = 256 * 1024 * 1024
const MAX_YAML_BYTES = 32 * 1024 * 1024
const DEFAULT_PROJECT = 'default'
const DIGEST_STEP_BYTES = 1024 * 1024
const validateFlags = compileValidator(FeatureImport, 'body', RESTRICTIONS)
const FIRST_ACTOR: Rights = { grants: ADMIN, hidden: [] }

/** Returns the initial content that the options name. */
export function getFirstContent({
  importFile: path,
  importKeepExisting: keep,
  importDropBeforeImport: drop,
  importProject,
  importEnvironment: environment,
}: FirstContentOptions): FirstContent | undefined {
  if (importProject !== undefined && environment === undefined) {
    throw new FirstContentError('IMPORT_PROJECT has no effect without IMPORT_ENVIRONMENT')
  }
  if (environment !== undefined && path === undefined) {
    throw new FirstContentError('IMPORT_ENVIRONMENT has no effect without IMPORT_FILE')
  }
  if (path === undefined) return undefined
  const place = environment === undefined ? undefined : { project: importProject ?? DEFAULT_PROJECT, environment }
  return {
    read: () =>
      explainErrors(() => {
        const { value, digest } = readValue(path)
        const content =
          place === undefined
            ? { document: validateState(value) }
            : { document: {}, flags: validateFlags({ ...place, data: value }) as FeatureImport }
        return { ...content, drop, keep, digest }
      }),
    digest: () => explainErrors(() => computeDigest(path)),
  }
}

type FirstContentOptions = Pick<
  ServerOptions,
  'importFile' | 'importKeepExisting' | 'importDropBeforeImport' | 'importProject' | 'importEnvironment'
>

/**
 * Reads a file. A large JSON file is read in pieces, because its text would double the memory that its content needs.
 */
function readValue(path: string): { readonly value: unknown; readonly digest: string } {
  const { size } = statSync(path)
  if (size > MAX_FILE_BYTES) throw new FirstContentError(`IMPORT_FILE: ${path} is longer than ${MAX_FILE_BYTES} bytes`)
  const hash = createHash('sha256')
  if (size > LARGE_FILE_BYTES) {
    try {
      return { value: readLargeJson(path, (bytes) => hash.update(bytes)), digest: hash.digest('hex') }
    } catch (error) {
      if (!(error instanceof NotJson)) throw error
      if (size > MAX_YAML_BYTES) {
        const limit = `and longer than ${MAX_YAML_BYTES} bytes, the maximum for YAML`
        throw new FirstContentError(`IMPORT_FILE: ${path} is not JSON (${error.message}), ${limit}`)
      }
    }
  }
  return { value: parseDocument(readFileSync(path, 'utf8')), digest: computeDigest(path) }
}

function computeDigest(path: string): string {
  const hash = createHash('sha256')
  const bytes = Buffer.allocUnsafe(DIGEST_STEP_BYTES)
  const file = openSync(path, 'r')
  try {
    for (let length = 1; length > 0; hash.update(bytes.subarray(0, length))) length = readSync(file, bytes)
  } finally {
    closeSync(file)
  }
  return hash.digest('hex')
}

/**
 * Warns about values of the initial content that SDKs interpret differently. A new database imports all of the content.
 */
export async function findContentWarnings({ document, flags }: ReadContent): Promise<readonly ImportWarning[]> {
  return flags === undefined ? findStateWarnings(document) : []
}

/** Dependencies of the import of initial content. */
interface ImportDeps {
  readonly context: ChangeContext
  readonly logger: Logger
  /** Result of `findContentWarnings`, which must not run inside a change. */
  readonly warnings: readonly ImportWarning[]
}

/**
 * Imports the initial content, and logs the progress of a large import. Returns lines for the log. Throws
 * FirstContentError if the content is invalid or a change rejects it. If the import fails for another reason, logs the
 * flag at which the import failed.
 */
export async function putFirstContent(
  tx: Tx,
  content: ReadContent,
  { context, logger, warnings }: ImportDeps,
): Promise<Outcome<readonly string[]>> {
  const { document, drop, keep, digest } = content
  const log = new ImportLog(logger)
  await allowLongPauses(tx)
  await tx.insertInto('settings').values({ name: DIGEST, value: digest }).execute()
  try {
    const { flags: input } = content
    const { result, events } =
      input === undefined
        ? await importState(tx, { document, drop, keep, onFlag: (progress) => log.onFlag(progress) }, context)
        : await importFeatures(tx, { actor: FIRST_ACTOR, input }, context)
    return { result: formatWarnings([...result.warnings, ...warnings]).map((line) => `IMPORT_FILE: ${line}`), events }
  } catch (error) {
    if (error instanceof Problem) {
      const reasons = error.details?.map(({ message }) => message) ?? [error.message]
      const more = reasons.length > MAX_NAMED ? ` and ${reasons.length - MAX_NAMED} more` : ''
      throw new FirstContentError(`IMPORT_FILE: ${reasons.slice(0, MAX_NAMED).join('; ')}${more}`)
    }
    log.onFailure()
    throw error
  }
}

/**
 * Returns true if the database was created from this file. Also returns true if the file can no longer be read, because
 * no warning is needed in this case either.
 */
export async function isFirstContent(reader: Reader, content: FirstContent): Promise<boolean> {
  try {
    return (await findSetting(reader, DIGEST)) === content.digest()
  } catch (error) {
    if (error instanceof FirstContentError) return true
    throw error
  }
}

function explainErrors<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof FirstContentError) throw error
    if (error instanceof UnreadableDocument) throw new FirstContentError(`IMPORT_FILE: ${error.message}`)
    if (error instanceof InvalidRequest) {
      const places = error.errors.slice(0, MAX_NAMED).map(({ instancePath, message }) => `${instancePath} ${message}`)
      throw new FirstContentError(`IMPORT_FILE: ${places.join('; ').replaceAll('/body', 'document')}`)
    }
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    throw new FirstContentError(`IMPORT_FILE: cannot read the file (${reason})`)
  }
}
