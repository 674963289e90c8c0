import { readFile, stat } from 'node:fs/promises'
import { isObject } from '@burgee/serving/document/feature-document'
import { parse } from 'yaml'
import { SourceRefused } from '../../model/source.ts'

const MOST_BYTES = 256 * 1024 * 1024
/** Of YAML less, for it can mean much more than it is long. */
const MOST_YAML_BYTES = 32 * 1024 * 1024

/** A file that holds one object, in JSON or in YAML. Throws SourceRefused, which says what is wrong with it. */
export async function readObject(path: string): Promise<Readonly<Record<string, unknown>>> {
  const value = await readValue(path)
  if (!isObject(value)) throw new SourceRefused(`${path} holds no object`)
  return value
}

/** The same for anything that JSON or YAML can say. */
export async function readValue(path: string): Promise<unknown> {
  const content = await contentOf(path)
  const [first] = content.trimStart()
  if (first === '{' || first === '[') {
    try {
      return JSON.parse(content)
    } catch (error) {
      // YAML may begin like that as well
      if (content.length > MOST_YAML_BYTES) throw new SourceRefused(`${path} is no JSON: ${(error as Error).message}`)
    }
  }
  if (content.length > MOST_YAML_BYTES) throw new SourceRefused(`${path} is no JSON, and too long for YAML`)
  try {
    return parse(content)
  } catch (error) {
    const [line = ''] = (error as Error).message.split('\n')
    throw new SourceRefused(`${path} is neither JSON nor YAML: ${line}`)
  }
}

/** A property that must be a list of objects where it is there. */
export function objectsAt(
  document: Readonly<Record<string, unknown>>,
  name: string,
  path: string,
): Readonly<Record<string, unknown>>[] {
  const list = document[name]
  if (list === undefined || list === null) return []
  if (!Array.isArray(list)) throw new SourceRefused(`"${name}" of ${path} is no list`)
  const wrong = list.findIndex((item) => !isObject(item))
  if (wrong >= 0) throw new SourceRefused(`${name}[${wrong}] of ${path} is no object`)
  return list
}

async function contentOf(path: string): Promise<string> {
  try {
    const { size } = await stat(path)
    if (size > MOST_BYTES) throw new SourceRefused(`${path} is larger than ${MOST_BYTES} bytes`)
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof SourceRefused) throw error
    throw new SourceRefused(`Cannot read ${path} (${(error as NodeJS.ErrnoException).code ?? 'unreadable'})`)
  }
}
