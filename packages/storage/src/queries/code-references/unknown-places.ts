import { MAX_PLACES } from '@burgee/protocol/administration/code-references'
import { chunks } from '../../chunks.ts'
import type { Reader } from '../../database.ts'
import { BRANCHES_PER_QUERY, type ReferenceRow, selectReferences } from './references.ts'

/** References to a name that no flag has, in one default branch and project. */
type UnknownReferences = Pick<ReferenceRow, 'repository' | 'branch' | 'project' | 'feature_name' | 'reference_count'>

/** Places in the code that evaluate a name. */
export interface NamePlaces {
  /** Number of references in default branches. */
  readonly count: number
  /** References whose places were read. */
  readonly rows: readonly ReferenceRow[]
}

/**
 * Returns the places in default branches that evaluate the given names, by name. Omits names that a flag has, and
 * references of hidden projects. Reads about `limit` places, and only counts the others, because the places of all
 * branches together can be large.
 */
export async function readUnknownPlaces(
  reader: Reader,
  names: readonly string[],
  { hidden, limit }: { readonly hidden: readonly string[]; readonly limit: number },
): Promise<Map<string, NamePlaces>> {
  const counted: UnknownReferences[] = []
  for (const part of chunks(names)) counted.push(...(await listUnknownReferences(reader, part, hidden)))
  const rows = await readRows(reader, selectFirst(counted, limit))
  const byName = Map.groupBy(rows, (row) => row.feature_name)
  const sums = Map.groupBy(counted, (row) => row.feature_name)
  return new Map(
    [...sums].map(([name, all]) => {
      const count = all.reduce((sum, { reference_count: one }) => sum + one, 0)
      return [name, { count, rows: byName.get(name) ?? [] }]
    }),
  )
}

function listUnknownReferences(
  reader: Reader,
  names: readonly string[],
  hidden: readonly string[],
): Promise<UnknownReferences[]> {
  const query = reader
    .selectFrom('code_references as c')
    .innerJoin('code_repositories as r', (join) =>
      join.onRef('r.name', '=', 'c.repository').onRef('r.default_branch', '=', 'c.branch'),
    )
    .leftJoin('features as f', 'f.name', 'c.feature_name')
    .select(['c.repository', 'c.branch', 'c.project', 'c.feature_name', 'c.reference_count'])
    .where('f.name', 'is', null)
    .where('c.feature_name', 'in', [...names])
    .orderBy('c.feature_name')
    .orderBy('c.repository')
    .orderBy('c.project')
  return (hidden.length === 0 ? query : query.where('c.project', 'not in', [...hidden])).execute()
}

/** Returns the first references that have as many places as may be read. */
function selectFirst(counted: readonly UnknownReferences[], limit: number): readonly UnknownReferences[] {
  let places = 0
  return counted.filter(({ reference_count: count }) => {
    if (places >= limit) return false
    places += Math.min(count, MAX_PLACES)
    return true
  })
}

async function readRows(reader: Reader, keys: readonly UnknownReferences[]): Promise<ReferenceRow[]> {
  const found: ReferenceRow[] = []
  for (const part of chunks(keys, BRANCHES_PER_QUERY)) {
    const rows = await selectReferences(reader)
      .where(({ eb, and, or }) =>
        or(
          part.map((one) =>
            and([
              eb('c.repository', '=', one.repository),
              eb('c.branch', '=', one.branch),
              eb('c.project', '=', one.project),
              eb('c.feature_name', '=', one.feature_name),
            ]),
          ),
        ),
      )
      .orderBy('c.feature_name')
      .orderBy('c.repository')
      .orderBy('c.project')
      .execute()
    found.push(...rows)
  }
  return found
}
