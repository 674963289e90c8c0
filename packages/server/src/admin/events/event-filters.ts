import type { ColumnFilter } from '@burgee/storage/queries/events/event-conditions'
import { parseFilter, parseTime } from '../../core/filters.ts'

const DAY_MS = 86_400_000
const COLUMNS = {
  type: 'type',
  feature: 'feature_name',
  project: 'project',
  environment: 'environment',
  createdBy: 'created_by',
} as const

type Names = Readonly<Partial<Record<keyof typeof COLUMNS, string | undefined>>>

/** Returns conditions that require columns to have exactly the given values. */
export function buildExactFilters(values: Names): ColumnFilter[] {
  return Object.entries(COLUMNS).flatMap(([name, column]) => {
    const value = values[name as keyof typeof COLUMNS]
    return value === undefined ? [] : [{ column, isWanted: true, values: [value] }]
  })
}

/** Parses conditions such as `IS:a`. Throws a ValidationError that names the parameter. */
export function buildFilters(query: Names): ColumnFilter[] {
  return Object.entries(COLUMNS).flatMap(([name, column]) => {
    const filter = parseFilter(query[name as keyof typeof COLUMNS], name)
    return filter === undefined ? [] : [{ column, isWanted: filter.isWanted, values: filter.values }]
  })
}

/**
 * Returns the end of a time range, which is not part of the range. If the end is a day, the range includes that day.
 */
export function parseEnd(text: string): number {
  const time = parseTime(text, 'to')
  return /^\d{4}-\d\d-\d\d$/.test(text) ? time + DAY_MS : time + 1
}
