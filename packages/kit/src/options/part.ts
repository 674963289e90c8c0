import type { OptionTable } from './options.ts'

/** Returns the given rows of a table, for a command that accepts only these. */
export function partOf<T extends OptionTable, K extends keyof T>(table: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, table[name]])) as Pick<T, K>
}
