import { PiecedContent } from '@burgee/kit/http/pieced-content'
import { runInSlices } from '@burgee/kit/slices'
import { splitList } from '@burgee/kit/split-list'
import { STATE_VERSION, type StatePiece } from './state-export.ts'
import { toYaml } from './yaml-text.ts'

/** Format of an exported document. */
export type StateFormat = 'json' | 'yaml'

/** Number of rows that are written between yields. */
const ROWS_PER_STEP = 100

/** Writes an export as text, a hundred rows at a time, so that other work can run in between. */
export async function writeState(pieces: AsyncIterable<StatePiece>, format: StateFormat): Promise<PiecedContent> {
  const writer = format === 'json' ? new JsonWriter() : new YamlWriter()
  let current: string | undefined
  for await (const { part, rows } of pieces) {
    if (part !== current) writer.begin(part)
    current = part
    await runInSlices(writeRows(writer, rows))
  }
  writer.end()
  return writer.content
}

interface StateWriter {
  readonly content: PiecedContent
  /** Ends the current part and begins a new one. */
  begin(part: string): void
  /** Adds rows to the current part. There is at least one row. */
  write(rows: readonly unknown[]): void
  /** Ends the document. */
  end(): void
}

function* writeRows(writer: StateWriter, rows: readonly unknown[]): Generator<void, void> {
  for (const some of splitList(rows, ROWS_PER_STEP)) {
    writer.write(some)
    yield
  }
}

class JsonWriter implements StateWriter {
  readonly content = new PiecedContent()
  #hasParts = false
  #hasRows = false

  constructor() {
    this.content.add(`{"version":${STATE_VERSION}`)
  }

  begin(part: string): void {
    this.content.add(`${this.#hasParts ? ']' : ''},${JSON.stringify(part)}:[`)
    this.#hasParts = true
    this.#hasRows = false
  }

  write(rows: readonly unknown[]): void {
    this.content.add(`${this.#hasRows ? ',' : ''}${JSON.stringify(rows).slice(1, -1)}`)
    this.#hasRows = true
  }

  end(): void {
    this.content.add(this.#hasParts ? ']}' : '}')
  }
}

class YamlWriter implements StateWriter {
  readonly content = new PiecedContent()
  #part = ''
  #hasRows = true

  constructor() {
    this.content.add(`version: ${STATE_VERSION}\n`)
  }

  begin(part: string): void {
    this.end()
    this.#part = part
    this.#hasRows = false
  }

  write(rows: readonly unknown[]): void {
    const text = toYaml({ [this.#part]: rows })
    // write the name of the part on the first line
    this.content.add(this.#hasRows ? text.slice(text.indexOf('\n') + 1) : text)
    this.#hasRows = true
  }

  end(): void {
    if (!this.#hasRows) this.content.add(`${this.#part}: []\n`)
  }
}
