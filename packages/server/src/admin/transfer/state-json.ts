import type { StateDocument } from '@burgee/protocol/administration/state'

/** Number of rows that are written between yields. */
const ROWS_PER_STEP = 100

/** Serializes a document to JSON in steps, so that other work can run in between. */
export function* stateJsonSteps(document: StateDocument): Generator<void, string> {
  const parts: string[] = []
  for (const [key, value] of Object.entries(document)) {
    const name = JSON.stringify(key)
    if (!Array.isArray(value)) {
      parts.push(`${name}:${JSON.stringify(value)}`)
      continue
    }
    const rows: string[] = []
    for (let at = 0; at < value.length; at += ROWS_PER_STEP) {
      rows.push(JSON.stringify(value.slice(at, at + ROWS_PER_STEP)).slice(1, -1))
      yield
    }
    parts.push(`${name}:[${rows.join(',')}]`)
  }
  return `{${parts.join(',')}}`
}

/** Maps rows in steps of `ROWS_PER_STEP` rows, so that other work can run in between. */
export function* mapSteps<T, R>(rows: readonly T[], map: (row: T) => R): Generator<void, R[]> {
  const mapped: R[] = []
  for (const [index, row] of rows.entries()) {
    mapped.push(map(row))
    if (index % ROWS_PER_STEP === ROWS_PER_STEP - 1) yield
  }
  return mapped
}
