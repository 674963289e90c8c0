import { chunks } from '../../chunks.ts'
import type { Reader } from '../../database.ts'
import { selectExtinctions } from './extinctions.ts'
import type { ExtinctionRow } from './references.ts'

/** References to a flag in default branches, and the last commit that removed the flag from a repository. */
export interface CodeStatus {
  readonly references: number
  readonly removal: ExtinctionRow | undefined
}

/**
 * Returns the code status of flags by name. Omits flags that no scan has found. The number of queries does not depend
 * on the number of repositories.
 */
export async function readCodeStatuses(reader: Reader, names: readonly string[]): Promise<Map<string, CodeStatus>> {
  const found = new Map<string, CodeStatus>()
  for (const part of chunks(names)) {
    for (const row of await selectExtinctions(reader, part).execute()) {
      // the newest removal comes first
      if (!found.has(row.feature_name)) found.set(row.feature_name, { references: 0, removal: row })
    }
    const counts = await countDefaultReferences(reader, part)
    for (const [name, references] of counts) {
      found.set(name, { references, removal: found.get(name)?.removal })
    }
  }
  return found
}

async function countDefaultReferences(reader: Reader, names: readonly string[]): Promise<Map<string, number>> {
  const rows = await reader
    .selectFrom('code_references as c')
    .innerJoin('code_repositories as r', (join) =>
      join.onRef('r.name', '=', 'c.repository').onRef('r.default_branch', '=', 'c.branch'),
    )
    .innerJoin('features as f', (join) =>
      join.onRef('f.name', '=', 'c.feature_name').onRef('f.project', '=', 'c.project'),
    )
    .select('c.feature_name')
    .select(({ fn }) => fn.sum<number>('c.reference_count').as('count'))
    .where('c.feature_name', 'in', [...names])
    .groupBy('c.feature_name')
    .execute()
  return new Map(rows.map(({ feature_name: name, count }) => [name, Number(count)]))
}
