import { JsonCollector, NotJson, readJsonPieces } from '../files/json-pieces.ts'
import { runInSlices, runSync } from '../slices.ts'
import { Refusal } from './refusal.ts'

/**
 * Parses JSON; returns undefined for an empty body. Throws a Refusal 'syntax' for invalid JSON or nesting deeper than
 * 500 levels.
 */
export function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined
  const start = body.length >= BYTE_ORDER_MARK.length && BYTE_ORDER_MARK.equals(body.subarray(0, 3)) ? 3 : 0
  const text = body.toString('utf8', start)
  if (isNestedTooDeeply(body, text)) throw createTooDeep()
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Refusal('syntax', error instanceof Error ? error.message : String(error))
  }
}

/**
 * Size in bytes from which a body is parsed in slices. A smaller body blocks the event loop for at most a few
 * milliseconds.
 */
const LARGE_BYTES = 1024 * 1024

/** Parses JSON; the result is the same as with `parseJson`. Yields to other requests while parsing a large object. */
export function parseLargeJson(body: Buffer): unknown {
  return body.length <= LARGE_BYTES ? parseJson(body) : runInSlices(parsePieces(body))
}

function* parsePieces(body: Buffer): Generator<void, unknown> {
  const isTooDeep = yield* findDeepNesting(body)
  if (isTooDeep) throw createTooDeep()
  let at = 0
  const read = (size: number) => {
    const part = body.subarray(at, at + size)
    at += part.length
    return part
  }
  const collector = new JsonCollector()
  try {
    for (const piece of readJsonPieces(read)) {
      collector.add(piece)
      yield
    }
  } catch (error) {
    if (!(error instanceof NotJson)) throw error
    // the text is a list, or is invalid, in which case `parseJson` throws an error with a useful message
    return parseJson(body)
  }
  return collector.object()
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])

const MAX_NESTING = 500
/** Number of bytes whose nesting is checked in one step, which takes a fraction of a millisecond. */
const NESTING_SLICE_BYTES = 65_536
const [QUOTE, BACKSLASH] = Buffer.from('"\\')
/** Change in nesting depth caused by each byte value. */
const STEP = new Int8Array(256)
for (const byte of Buffer.from('[{')) STEP[byte] = 1
for (const byte of Buffer.from(']}')) STEP[byte] = -1

/**
 * Returns true if JSON nests deeper than 500 levels. Counts brackets outside of strings. Deeply nested JSON could
 * overflow the call stack in code that processes it later.
 *
 * @param text the same JSON as text, if the caller has decoded it already
 */
export function isNestedTooDeeply(json: Buffer, text?: string): boolean {
  if (json.length <= MAX_NESTING) return false
  if (json.length <= NESTING_SLICE_BYTES && !hasManyBrackets(text ?? json.toString('latin1'))) return false
  return runSync(findDeepNesting(json))
}

/**
 * Returns true if a text has more than 500 opening brackets, including the ones in strings. Most bodies have fewer, and
 * the built-in search takes a tenth of the time of following the nesting.
 */
function hasManyBrackets(text: string): boolean {
  let count = 0
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at !== -1; at = text.indexOf(bracket, at + 1)) {
      if (++count > MAX_NESTING) return true
    }
  }
  return false
}

function createTooDeep(): Refusal {
  return new Refusal('syntax', `The body nests deeper than ${MAX_NESTING} levels`)
}

function* findDeepNesting(json: Buffer): Generator<void, boolean> {
  let depth = 0
  let inText = false
  let sliceEnd = NESTING_SLICE_BYTES
  for (let at = 0; at < json.length; at++) {
    if (at >= sliceEnd) {
      sliceEnd += NESTING_SLICE_BYTES
      yield
    }
    const byte = json[at] as number
    if (inText) {
      if (byte === BACKSLASH) at++
      else if (byte === QUOTE) inText = false
    } else if (byte === QUOTE) inText = true
    else {
      depth += STEP[byte] as number
      if (depth > MAX_NESTING) return true
    }
  }
  return false
}
