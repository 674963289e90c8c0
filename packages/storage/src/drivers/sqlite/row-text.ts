/**
 * Maximum length of a single value. The limits on requests are lower, so no valid request reaches this limit. V8
 * terminates the process if a string gets too long.
 */
const MAX_VALUE_CHARACTERS = 67_108_864

/** Column names of a result as JSON text, with a marker for each column that contains JSON. */
export interface ColumnNames {
  readonly text: string
  readonly isJson: readonly boolean[]
}

/** Returns the names of columns; `jsonColumns` lists the column names that contain JSON in any table. */
export function toColumnNames(columns: readonly string[], jsonColumns: ReadonlySet<string>): ColumnNames {
  return { text: JSON.stringify(columns), isJson: columns.map((column) => jsonColumns.has(column)) }
}

/**
 * Serializes rows for another thread as a single JSON text, `[["id","data"],[1,{"a":true}],…]`, in which the column
 * names come first. Sending a string to a thread is a plain copy, and the receiver parses the string only once,
 * including its JSON columns. Sending objects would instead require a structured clone.
 */
export class RowText {
  readonly #isJson: readonly boolean[]
  #text: string

  constructor(names: ColumnNames) {
    this.#isJson = names.isJson
    this.#text = `[${names.text}`
  }

  /** Number of characters that are buffered. */
  get length(): number {
    return this.#text.length
  }

  /**
   * Adds a row. Throws TypeError for a value that is not a string, a number or null, and RangeError for a value that is
   * too long.
   */
  add(row: readonly unknown[]): void {
    let text = ',['
    for (let index = 0; index < row.length; index += 1) {
      if (index > 0) text += ','
      text += this.#valueText(row[index], this.#isJson[index] === true)
    }
    this.#text += `${text}]`
  }

  /** Returns the buffered text and clears the buffer. Only the first text of a result contains the column names. */
  take(): string {
    const text = `${this.#text}]`
    this.#text = '[[]'
    return text
  }

  #valueText(value: unknown, isJson: boolean): string {
    if (typeof value === 'string' && value.length > MAX_VALUE_CHARACTERS) {
      throw new RangeError(`A value of ${value.length} characters is too long`)
    }
    if (typeof value === 'string') return isJson ? value : JSON.stringify(value)
    if (typeof value === 'number') return String(value)
    if (value === null) return 'null'
    throw new TypeError(`A value of type ${typeof value} is not supported`)
  }
}

/** Rows of a result that arrives in parts. */
export class RowReader {
  readonly rows: Record<string, unknown>[] = []
  #columns: readonly string[] = []

  /** Adds a part of a result. Throws SyntaxError if a JSON column contains text that is not JSON. */
  add(text: string): void {
    const [columns = [], ...rows] = JSON.parse(text) as [string[]?, ...unknown[][]]
    if (columns.length > 0) this.#columns = columns
    for (const values of rows) {
      const row: Record<string, unknown> = {}
      for (const [index, column] of this.#columns.entries()) row[column] = values[index]
      this.rows.push(row)
    }
  }
}
