import type { OptionTable } from './options.ts'

/** Returns a table with only the given options, for a command that accepts no other ones. */
export function selectOptions<T extends OptionTable, K extends keyof T>(table: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.map((name) => [name, table[name]])) as Pick<T, K>
}
