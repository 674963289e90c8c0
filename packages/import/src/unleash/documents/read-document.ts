import { readFile, stat } from 'node:fs/promises'
import { LARGE_FILE_BYTES, readLargeJson } from '@burgee/kit/files/json-file'
import { NotJson } from '@burgee/kit/files/json-pieces'
import { isObject } from '@burgee/kit/input/is-object'
import { parse } from 'yaml'
import { type DocumentKind, requireKind } from '../../documents/document-kind.ts'
import { SourceRefused } from '../../model/source.ts'

const MAX_BYTES = 256 * 1024 * 1024
/**
 * Maximum size of a YAML document. The limit is lower than for JSON, because a YAML document can expand to a value that
 * is much larger than the document.
 */
const MAX_YAML_BYTES = 32 * 1024 * 1024
/**
 * Maximum size of a YAML document that is uploaded to a server. The limit is low, because the server must stay
 * responsive to other users.
 */
const MAX_UPLOADED_YAML_BYTES = 1024 * 1024

/** A file, given by path or by content. If the content is given, `path` is only used in error messages. */
export interface DocumentFile {
  readonly path: string
  readonly content?: string | undefined
}

/**
 * Reads a file that contains one object of one of the given kinds, in JSON or YAML. Throws SourceRefused with a
 * description of the problem.
 */
export async function readObject(
  file: DocumentFile,
  kinds: readonly DocumentKind[],
): Promise<Readonly<Record<string, unknown>>> {
  const value = await readValue(file, kinds)
  if (!isObject(value)) throw new SourceRefused(`${file.path} does not contain an object`)
  return value
}

/** Reads a file that contains a value of one of the given kinds, in JSON or YAML. Throws SourceRefused. */
export async function readValue(file: DocumentFile, kinds: readonly DocumentKind[]): Promise<unknown> {
  const value = await parseFile(file)
  requireKind(value, kinds, file.path)
  return value
}

/** Reads a file that contains any value, in JSON or YAML. Throws SourceRefused. */
export async function parseFile(file: DocumentFile): Promise<unknown> {
  const { path } = file
  if (file.content === undefined) {
    const large = await readLarge(path)
    if (large !== undefined) return large
  }
  const content = file.content ?? (await readContent(path))
  const mostYaml = file.content === undefined ? MAX_YAML_BYTES : MAX_UPLOADED_YAML_BYTES
  const [first] = content.trimStart()
  if (first === '{' || first === '[') {
    try {
      return JSON.parse(content)
    } catch (error) {
      // YAML can start with the same characters as JSON, so the document is also parsed as YAML
      if (content.length > mostYaml) throw new SourceRefused(`${path} is not JSON: ${(error as Error).message}`)
    }
  }
  if (content.length > mostYaml) throw new SourceRefused(`${path} is not JSON, and too long for YAML`)
  try {
    return parse(content)
  } catch (error) {
    const [line = ''] = (error as Error).message.split('\n')
    throw new SourceRefused(`${path} is neither JSON nor YAML: ${line}`)
  }
}

/** Returns a property that must be a list of objects if present. Throws SourceRefused otherwise. */
export function requireObjects(
  document: Readonly<Record<string, unknown>>,
  name: string,
  path: string,
): Readonly<Record<string, unknown>>[] {
  const list = document[name]
  if (list === undefined || list === null) return []
  if (!Array.isArray(list)) throw new SourceRefused(`"${name}" of ${path} is not a list`)
  const wrong = list.findIndex((item) => !isObject(item))
  if (wrong >= 0) throw new SourceRefused(`${name}[${wrong}] of ${path} is not an object`)
  return list
}

/** Reads a large JSON object in pieces. Returns undefined if the file is small or does not contain an object. */
async function readLarge(path: string): Promise<unknown> {
  try {
    const { size } = await stat(path)
    if (size > MAX_BYTES) throw new SourceRefused(`${path} is larger than ${MAX_BYTES} bytes`)
    return size > LARGE_FILE_BYTES ? readLargeJson(path) : undefined
  } catch (error) {
    if (error instanceof NotJson) return undefined
    throw toRefusal(path, error)
  }
}

function readContent(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    throw toRefusal(path, error)
  })
}

function toRefusal(path: string, error: unknown): SourceRefused {
  if (error instanceof SourceRefused) return error
  return new SourceRefused(`Cannot read ${path} (${(error as NodeJS.ErrnoException).code ?? 'unreadable'})`)
}
