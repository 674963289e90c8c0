import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { InvalidRequest } from '@burgee/kit/input/validation'
import type { StateDocument } from '@burgee/protocol/administration/state'
import { Problem } from '@burgee/protocol/problem'
import type { ServerOptions } from '../../options.ts'
import { setting } from '../../store/access/users.ts'
import type { Reader, Tx } from '../../store/database.ts'
import type { Moment, Outcome } from '../execute.ts'
import { warningLines } from '../transfer/import-warnings.ts'
import { LONGEST_DOCUMENT_BYTES, readStateDocument, UnreadableDocument } from '../transfer/state-document.ts'
import { importState } from '../transfer/state-import.ts'

/** The file that a new database begins with. */
export interface FirstContent {
  /** Throws FirstContentError. */
  read(): ReadContent
}

/** What stands in it, and what becomes of what a new database has anyway. */
export interface ReadContent {
  readonly document: StateDocument
  readonly drop: boolean
  readonly keep: boolean
  /** Tells this text from others. */
  readonly digest: string
}

/** A file that cannot be what a database begins with; names the variable. */
export class FirstContentError extends Error {
  override readonly name = 'FirstContentError'
}

const DIGEST = 'firstContent'
const MOST_NAMED = 5

/** The file that the options name. */
export function firstContentOf({
  importFile: path,
  importKeepExisting: keep,
  importDropBeforeImport: drop,
}: Pick<ServerOptions, 'importFile' | 'importKeepExisting' | 'importDropBeforeImport'>): FirstContent | undefined {
  if (path === undefined) return undefined
  return {
    read: () =>
      explained(() => {
        if (statSync(path).size > LONGEST_DOCUMENT_BYTES) {
          throw new FirstContentError(`IMPORT_FILE: ${path} is longer than ${LONGEST_DOCUMENT_BYTES} bytes`)
        }
        const text = readFileSync(path, 'utf8')
        return {
          document: readStateDocument(text),
          drop,
          keep,
          digest: createHash('sha256').update(text).digest('hex'),
        }
      }),
  }
}

/** Makes what the document has; the result is lines for the log. Throws FirstContentError, also for what the changes refuse. */
export async function putFirstContent(
  tx: Tx,
  content: ReadContent,
  moment: Moment,
): Promise<Outcome<readonly string[]>> {
  const { document, drop, keep, digest } = content
  await tx.insertInto('settings').values({ name: DIGEST, value: digest }).execute()
  try {
    const { result, events } = await importState(tx, { document, drop, keep }, moment)
    return { result: warningLines(result.warnings).map((line) => `IMPORT_FILE: ${line}`), events }
  } catch (error) {
    if (error instanceof Problem) {
      const reasons = error.details?.map(({ message }) => message) ?? [error.message]
      const more = reasons.length > MOST_NAMED ? ` and ${reasons.length - MOST_NAMED} more` : ''
      throw new FirstContentError(`IMPORT_FILE: ${reasons.slice(0, MOST_NAMED).join('; ')}${more}`)
    }
    throw error
  }
}

/** Whether the database began with just this file, or the file is not there any more: then there is nothing to tell. */
export async function isFirstContent(reader: Reader, content: FirstContent): Promise<boolean> {
  try {
    return (await setting(reader, DIGEST)) === content.read().digest
  } catch (error) {
    if (error instanceof FirstContentError) return true
    throw error
  }
}

function explained<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof FirstContentError) throw error
    if (error instanceof UnreadableDocument) throw new FirstContentError(`IMPORT_FILE: ${error.message}`)
    if (error instanceof InvalidRequest) {
      const places = error.errors.slice(0, MOST_NAMED).map(({ instancePath, message }) => `${instancePath} ${message}`)
      throw new FirstContentError(`IMPORT_FILE: ${places.join('; ').replaceAll('/body', 'document')}`)
    }
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    throw new FirstContentError(`IMPORT_FILE: cannot read the file (${reason})`)
  }
}
