import { compareText } from '@burgee/kit/compare-text'
import type { VariantDefinition } from '@burgee/protocol/feature'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Schema } from '../database.ts'

/**
 * Sorts the stored variants of flags by UTF-16 code units, which is the order in which earlier versions served them;
 * from now on, they are served in stored order. No user gets another variant, so no event is written.
 */
export function variantOrder(): Migration {
  return {
    up: async (unknown: Kysely<unknown>) => {
      const db = unknown as Kysely<Schema>
      const rows = await db
        .selectFrom('feature_environments')
        .select(['feature_name', 'environment', 'variants'])
        .where(sql<boolean>`variants <> '[]'`)
        .execute()
      for (const { feature_name: feature, environment, variants: stored } of rows) {
        const variants = parsed(stored)
        const served = variants.toSorted((a, b) => compareText(a.name, b.name))
        if (served.every((variant, index) => variant === variants[index])) continue
        await db
          .updateTable('feature_environments')
          .set({ variants: JSON.stringify(served) })
          .where('feature_name', '=', feature)
          .where('environment', '=', environment)
          .execute()
      }
    },
  }
}

/** Parses a JSON column, which some drivers return as text. */
function parsed(value: VariantDefinition[] | string): VariantDefinition[] {
  return typeof value === 'string' ? (JSON.parse(value) as VariantDefinition[]) : value
}
