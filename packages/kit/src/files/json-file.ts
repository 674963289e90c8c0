import { closeSync, openSync, readSync } from 'node:fs'
import { isObject } from '../input/is-object.ts'
import { JsonCollector, readJsonPieces } from './json-pieces.ts'

/** File size above which a file is read in pieces. Smaller files can be in memory several times. */
export const LARGE_FILE_BYTES = 8 * 1024 * 1024
/** Maximum length of strings for which equal occurrences share memory. */
const MAX_SHARED_CHARACTERS = 200
const NOTHING: readonly unknown[] = Object.freeze([])

/**
 * Reads a large JSON object from a file in pieces. Within list items, equal short strings and empty lists share memory,
 * because the names of flags and environments recur in every item. `onBytes` receives the content, for example to
 * compute a digest. Throws NotJson, or the error of the file system.
 */
export function readLargeJson(path: string, onBytes?: (bytes: Buffer) => void): Readonly<Record<string, unknown>> {
  const file = openSync(path, 'r')
  const read = (size: number): Buffer => {
    const bytes = Buffer.allocUnsafe(size)
    const part = bytes.subarray(0, readSync(file, bytes, 0, size, null))
    onBytes?.(part)
    return part
  }
  try {
    return collect(read)
  } finally {
    closeSync(file)
  }
}

function collect(read: (size: number) => Buffer): Readonly<Record<string, unknown>> {
  const collector = new JsonCollector()
  const texts = new Map<string, string>()
  for (const piece of readJsonPieces(read)) {
    collector.add(piece.isItem ? { ...piece, value: shareValues(piece.value, texts) } : piece)
  }
  return collector.object()
}

/** Replaces short strings and empty lists directly inside an item with equal ones from earlier items. */
function shareValues(item: unknown, texts: Map<string, string>): unknown {
  if (!isObject(item)) return item
  const own = item as Record<string, unknown>
  for (const key of Object.keys(own)) {
    const value = own[key]
    if (Array.isArray(value) && value.length === 0) own[key] = NOTHING
    if (typeof value !== 'string' || value.length > MAX_SHARED_CHARACTERS) continue
    const shared = texts.get(value)
    if (shared === undefined) texts.set(value, value)
    else own[key] = shared
  }
  return item
}
