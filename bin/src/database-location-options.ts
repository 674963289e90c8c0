import type { OptionTable } from '@burgee/kit/options/options'
import { selectOptions } from '@burgee/kit/options/select-options'
import { DATABASE_OPTIONS } from '@burgee/server/core/options/database-options'
import { SERVER_OPTIONS } from '@burgee/server/core/options/options'

/** Server options that locate the database, for commands that use the same database as a server. */
export const DATABASE_LOCATION_OPTIONS = {
  dataDir: SERVER_OPTIONS.dataDir,
  requireEncryption: SERVER_OPTIONS.requireEncryption,
  ...selectOptions(SERVER_OPTIONS, Object.keys(DATABASE_OPTIONS) as (keyof typeof DATABASE_OPTIONS)[]),
} satisfies OptionTable
