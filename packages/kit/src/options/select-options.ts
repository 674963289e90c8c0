import type { OptionTable } from './options.ts'

/** Returns a table with only the named options, for a command that accepts no other options. */
export function selectOptions<T extends OptionTable, K extends keyof T>(table: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, table[name]])) as Pick<T, K>
}

/** Returns a table without the named options. */
export function omitOptions<T extends OptionTable, K extends keyof T>(table: T, names: readonly K[]): Omit<T, K> {
  const omitted: ReadonlySet<PropertyKey> = new Set(names)
  return Object.fromEntries(Object.entries(table).filter(([name]) => !omitted.has(name))) as Omit<T, K>
}
