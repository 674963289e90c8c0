import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds naming rules and the maximum number of flags to projects; null for no rule. */
export function flagRules(): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      for (const name of ['feature_naming_pattern', 'feature_naming_example', 'feature_naming_description']) {
        await db.schema.alterTable('projects').addColumn(name, 'text').execute()
      }
      await db.schema.alterTable('projects').addColumn('feature_limit', 'integer').execute()
    },
  }
}
