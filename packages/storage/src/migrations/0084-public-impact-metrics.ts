import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { zeroByDefault } from './column-rules.ts'

/**
 * Adds columns that mark impact metrics and series as coming from public sources, which may use only half of a limit.
 */
export function publicImpactMetrics(): Migration {
  return {
    up: async ({ schema }: Kysely<unknown>) => {
      await schema.alterTable('impact_metrics').addColumn('is_public', 'integer', zeroByDefault).execute()
      await schema.alterTable('impact_series').addColumn('is_public', 'integer', zeroByDefault).execute()
    },
  }
}
