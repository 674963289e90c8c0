import { PiecedContent } from '@burgee/kit/http/pieced-content'
import { runInSlices } from '@burgee/kit/slices'
import { STATE_VERSION, type StatePiece } from './state-export.ts'
import { toYaml } from './yaml-text.ts'

/** Format of an exported document. */
export type StateFormat = 'json' | 'yaml'

/** Number of rows that are written between yields. */
const ROWS_PER_STEP = 100

/** Writes an export as text, a hundred rows at a time, so that other work can run in between. */
export async function writeState(pieces: AsyncIterable<StatePiece>, format: StateFormat): Promise<PiecedContent> {
  const writer = format === 'json' ? new JsonWriter() : new YamlWriter()
  for await (const piece of pieces) await runInSlices(writeRows(writer, piece))
  writer.end()
  return writer.content
}

interface StateWriter {
  readonly content: PiecedContent
  /** Writes rows of a part; `isFirst` for the first rows of the part. */
  write(part: string, rows: readonly unknown[], isFirst: boolean): void
  end(): void
}

function* writeRows(writer: StateWriter & { last?: string }, { part, rows }: StatePiece): Generator<void, void> {
  let isFirst = writer.last !== part
  writer.last = part
  for (let at = 0; at < rows.length || isFirst; at += ROWS_PER_STEP) {
    writer.write(part, rows.slice(at, at + ROWS_PER_STEP), isFirst)
    isFirst = false
    yield
  }
}

class JsonWriter implements StateWriter {
  readonly content = new PiecedContent()
  last?: string
  #hasRows = false

  constructor() {
    this.content.add(`{"version":${STATE_VERSION}`)
  }

  write(part: string, rows: readonly unknown[], isFirst: boolean): void {
    if (isFirst) {
      const isStart = this.content.length < `{"version":${STATE_VERSION},`.length
      this.content.add(`${isStart ? '' : ']'},${JSON.stringify(part)}:[`)
      this.#hasRows = false
    }
    if (rows.length === 0) return
    this.content.add(`${this.#hasRows ? ',' : ''}${JSON.stringify(rows).slice(1, -1)}`)
    this.#hasRows = true
  }

  end(): void {
    this.content.add(']}')
  }
}

class YamlWriter implements StateWriter {
  readonly content = new PiecedContent()
  last?: string
  /** Line of a part that has no rows so far. */
  #empty = ''

  constructor() {
    this.content.add(`version: ${STATE_VERSION}\n`)
  }

  write(part: string, rows: readonly unknown[], isFirst: boolean): void {
    if (isFirst) {
      this.end()
      this.#empty = `${part}: []\n`
    }
    if (rows.length === 0) return
    const text = toYaml({ [part]: rows })
    const isStart = this.#empty !== ''
    this.content.add(isStart ? text : text.slice(text.indexOf('\n') + 1))
    this.#empty = ''
  }

  end(): void {
    if (this.#empty !== '') this.content.add(this.#empty)
    this.#empty = ''
  }
}
