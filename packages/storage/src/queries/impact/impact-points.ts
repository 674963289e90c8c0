import type { ImpactType } from '@burgee/protocol/usage/impact-metrics'

/** Resolution at which points are stored (`step`), and the time that one row covers (`span`), both in milliseconds. */
export interface Resolution {
  readonly step: number
  readonly span: number
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Resolution of the most recent points. */
export const MINUTES: Resolution = { step: MINUTE_MS, span: HOUR_MS }
/** Resolution of points up to two weeks old. */
export const QUARTERS: Resolution = { step: 15 * MINUTE_MS, span: DAY_MS }
/** Resolution of older points. */
export const THREE_HOURS: Resolution = { step: 3 * HOUR_MS, span: 10 * DAY_MS }
/** All resolutions, from the finest (newest points) to the coarsest (oldest points). */
export const RESOLUTIONS: readonly Resolution[] = [MINUTES, QUARTERS, THREE_HOURS]

/** Minimum age up to which points are stored at a resolution of one minute. */
export const MINUTES_KEPT_MS = 2 * DAY_MS
/** Minimum age up to which points are stored at a resolution of 15 minutes or finer. */
export const QUARTERS_KEPT_MS = 14 * DAY_MS

/**
 * Returns the resolutions at which the points of a time range may be stored. The end of the range must not be more than
 * one hour in the past.
 */
export function listResolutions({ start, end }: { readonly start: number; readonly end: number }): Resolution[] {
  const ageMs = end + HOUR_MS - start
  const resolutions = [MINUTES]
  if (ageMs > MINUTES_KEPT_MS) resolutions.push(QUARTERS)
  if (ageMs > QUARTERS_KEPT_MS) resolutions.push(THREE_HOURS)
  return resolutions
}

/**
 * Values of a row: a list of columns, each with one number per slot (time step). A counter has one column: the sum. A
 * gauge has three columns: the sum over connections, the number of connections, and the number of minutes with a value.
 * A histogram has a column for the sum, and one column per bucket for the number of observations.
 */
export type Columns = readonly Float64Array[]

/** Index of the gauge column that contains the number of minutes with a value. */
const GAUGE_MINUTES = 2
const GAUGE_CONNECTIONS = 1

const FORMAT = 1
const EMPTY = 0
const KINDS = [
  { max: 0xff, bytes: 1 },
  { max: 0xffff, bytes: 2 },
  { max: 0xffffffff, bytes: 4 },
] as const
const FLOAT_KIND = 4
const FLOAT_BYTES = 8

/** Returns the number of columns that a series of this type has. */
export function getWidth(type: ImpactType, bounds: number): number {
  if (type === 'counter') return 1
  return type === 'gauge' ? GAUGE_MINUTES + 1 : bounds + 2
}

/** Returns empty columns. */
export function createColumns(width: number, { step, span }: Resolution): Columns {
  return Array.from({ length: width }, () => new Float64Array(span / step))
}

/**
 * Packs columns into a string. Most columns contain small whole numbers, which take one to four bytes per slot; other
 * columns take eight bytes per slot.
 */
export function packColumns(columns: Columns): string {
  const kinds = columns.map(chooseKind)
  const slots = columns[0]?.length ?? 0
  const size = kinds.reduce((sum, kind) => sum + getBytes(kind) * slots, 2 + columns.length)
  const bytes = Buffer.alloc(size)
  bytes[0] = FORMAT
  bytes[1] = columns.length
  let at = 2
  for (const [index, column] of columns.entries()) {
    const kind = kinds[index] ?? FLOAT_KIND
    bytes[at] = kind
    at += 1
    for (const value of column) at = writeValue(bytes, at, kind, value)
  }
  return bytes.toString('base64')
}

/**
 * Adds the values in a packed string to columns. Ignores strings of another format or size. An empty string contains no
 * values.
 */
export function addPacked(columns: Columns, text: string): void {
  const slots = columns[0]?.length ?? 0
  for (const part of findColumns(text, columns.length, slots)) {
    const column = columns[part.index]
    if (column === undefined) continue
    for (let slot = 0; slot < slots; slot += 1) column[slot] = (column[slot] ?? 0) + sumSlots(part, slot, slot + 1)
  }
}

/** Columns, with the resolution and the start time of their row. */
export interface PointRow extends Resolution {
  readonly start: number
  readonly columns: Columns
}

/** Stored row, with its resolution. */
export interface PackedRow extends Resolution {
  readonly start: number
  readonly packed: string
}

/**
 * Adds a stored row to a row with a coarser resolution. Skips slots outside the time range of the target row, and
 * strings that `addPacked` ignores.
 */
export function foldPacked(target: PointRow, source: PackedRow, type: ImpactType): void {
  const isMinuteGauge = type === 'gauge' && source.step === MINUTES.step
  for (const part of findColumns(source.packed, target.columns.length, source.span / source.step)) {
    if (isMinuteGauge && part.index === GAUGE_MINUTES) continue
    foldColumn(target, part.index, source, (from, to) => sumSlots(part, from, to))
    if (isMinuteGauge && part.index === GAUGE_CONNECTIONS) {
      foldColumn(target, GAUGE_MINUTES, source, (from, to) => countMinutes(part, from, to))
    }
  }
}

/**
 * Adds the slots of a column to the slots of a column with a coarser resolution. `sum` returns the total of a range of
 * slots.
 */
function foldColumn(
  target: PointRow,
  index: number,
  { start, step, span }: Omit<PackedRow, 'packed'>,
  sum: (from: number, to: number) => number,
): void {
  const column = target.columns[index]
  if (column === undefined) return
  const slots = span / step
  for (let slot = 0; slot < slots; ) {
    const offset = start + slot * step - target.start
    const to = Math.floor(offset / target.step)
    const next = Math.min(slots, slot + Math.ceil(((to + 1) * target.step - offset) / step))
    if (to >= 0 && to < column.length) column[to] = (column[to] ?? 0) + sum(slot, next)
    slot = next
  }
}

/** Column of a packed row that contains values. */
interface PackedColumn {
  readonly index: number
  readonly kind: number
  readonly bytes: Buffer
  /** Position of the first slot in `bytes`. */
  readonly at: number
}

/**
 * Returns the columns of a packed row that contain values. Returns an empty list if the row has another format, width
 * or length.
 */
function findColumns(text: string, width: number, slots: number): PackedColumn[] {
  if (text === '') return []
  const bytes = Buffer.from(text, 'base64')
  if (bytes[0] !== FORMAT || bytes[1] !== width) return []
  const columns: PackedColumn[] = []
  let at = 2
  for (let index = 0; index < width; index += 1) {
    const kind = bytes[at] ?? EMPTY
    at += 1
    if (kind === EMPTY) continue
    const end = at + getBytes(kind) * slots
    if (end > bytes.length) return []
    columns.push({ index, kind, bytes, at })
    at = end
  }
  return columns
}

/**
 * Returns the sum of a range of slots. Small numbers, which most columns contain, are read byte by byte, because charts
 * read millions of slots.
 */
function sumSlots({ kind, bytes, at }: PackedColumn, from: number, to: number): number {
  const size = getBytes(kind)
  const end = at + size * to
  let sum = 0
  if (size === 1) for (let i = at + from; i < end; i += 1) sum += bytes[i] ?? 0
  else if (size === 2) for (let i = at + 2 * from; i < end; i += 2) sum += (bytes[i] ?? 0) + 256 * (bytes[i + 1] ?? 0)
  else for (let i = at + size * from; i < end; i += size) sum += readValue(bytes, i, kind)
  return sum
}

/**
 * Returns the number of minutes in which at least one connection has a value. The number is not stored: several nodes
 * add to the same row, so a stored sum would count the same minute several times.
 */
function countMinutes(connections: PackedColumn, from: number, to: number): number {
  let count = 0
  for (let slot = from; slot < to; slot += 1) if (sumSlots(connections, slot, slot + 1) > 0) count += 1
  return count
}

function chooseKind(column: Float64Array): number {
  let max = 0
  for (const value of column) {
    if (!Number.isInteger(value) || value < 0 || Object.is(value, -0)) return FLOAT_KIND
    if (value > max) max = value
  }
  if (max === 0) return EMPTY
  const kind = KINDS.findIndex((one) => max <= one.max)
  return kind === -1 ? FLOAT_KIND : kind + 1
}

function getBytes(kind: number): number {
  return kind === EMPTY ? 0 : (KINDS[kind - 1]?.bytes ?? FLOAT_BYTES)
}

function writeValue(bytes: Buffer, at: number, kind: number, value: number): number {
  const size = getBytes(kind)
  if (kind === FLOAT_KIND) bytes.writeDoubleLE(value, at)
  else if (size > 0) bytes.writeUIntLE(value, at, size)
  return at + size
}

function readValue(bytes: Buffer, at: number, kind: number): number {
  return kind === FLOAT_KIND ? bytes.readDoubleLE(at) : bytes.readUIntLE(at, getBytes(kind))
}
