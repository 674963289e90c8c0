import type { OptionTable } from '@burgee/kit/options/options'
import { DATABASE_OPTIONS } from '@burgee/server/database-options'
import { SERVER_OPTIONS } from '@burgee/server/options'

/** Options of commands that work beside a server: those of the server that say where its database is. */
export const PLACE_OPTIONS = {
  dataDir: SERVER_OPTIONS.dataDir,
  ...pick(Object.keys(DATABASE_OPTIONS) as (keyof typeof DATABASE_OPTIONS)[]),
} satisfies OptionTable

function pick<K extends keyof typeof SERVER_OPTIONS>(names: readonly K[]): Pick<typeof SERVER_OPTIONS, K> {
  return Object.fromEntries(names.map((name) => [name, SERVER_OPTIONS[name]])) as Pick<typeof SERVER_OPTIONS, K>
}
