import { EDGE_OPTIONS } from '@burgee/edge/options'
import { type OptionTable, listVariables as variablesIn } from '@burgee/kit/options/options'
import { PROXY_OPTIONS } from '@burgee/proxy/options'
import { SERVER_OPTIONS } from '@burgee/server/core/options/options'

const TABLES: Readonly<Record<string, OptionTable>> = {
  server: SERVER_OPTIONS,
  proxy: PROXY_OPTIONS,
  edge: EDGE_OPTIONS,
}

/** Returns all variables that a command reads, including `_FILE` variants. Throws for an unknown command. */
export function variablesOf(command: string): ReadonlySet<string> {
  const table = TABLES[command]
  if (table === undefined) throw new Error(`There is no command ${command}`)
  return variablesIn(table)
}

/** Returns the variables that the command does not read, which would have no effect in a deployment file. */
export function withoutEffect(command: string, names: readonly string[]): string[] {
  const known = variablesOf(command)
  return names.filter((name) => !known.has(name))
}
