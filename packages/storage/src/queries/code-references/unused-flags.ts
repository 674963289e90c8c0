import type { Reader } from '../../database.ts'
import { selectAllExtinctions } from './extinctions.ts'
import type { ExtinctionRow } from './references.ts'

/** Removal of a flag from the code, with the flag, which nothing evaluates anymore. */
export interface UnusedFlagRow extends ExtinctionRow {
  readonly project: string
  readonly last_seen_at: number | null
  /** User who created the flag; null if the user is unknown, deleted, deactivated or a service account. */
  readonly owner_id: number | null
}

/** Conditions for flags that nothing uses. Times are milliseconds since 1970. */
export interface UnusedFlagFilter {
  /** Includes the flags that this user created, and flags without an owner. */
  readonly owner: number
  /** Includes only flags that no SDK has evaluated since this time, also flags that no SDK has ever evaluated. */
  readonly unseenSince: number
  /** Leaves out flags that are snoozed at this time. */
  readonly now: number
  readonly hidden: readonly string[]
  readonly limit: number
}

/**
 * Lists removals of flags from the code, newest first, if no default branch refers to the flag anymore and no SDK
 * evaluates the flag. Omits flags that are archived, snoozed, newer than `unseenSince`, or the parent of another flag.
 * Lists a flag once for each repository that it was removed from.
 */
export async function listUnusedFlags(reader: Reader, filter: UnusedFlagFilter): Promise<UnusedFlagRow[]> {
  const { unseenSince, hidden } = filter
  let query = selectAllExtinctions(reader)
    .leftJoin('users as u', (join) =>
      join.onRef('u.id', '=', 'f.created_by_user_id').on('u.is_service', '=', 0).on('u.active', '=', 1),
    )
    .select(['f.project', 'f.last_seen_at', 'u.id as owner_id'])
    .where('f.archived_at', 'is', null)
    .where('f.created_at', '<', unseenSince)
    .where(({ eb, or }) => or([eb('u.id', 'is', null), eb('u.id', '=', filter.owner)]))
    .where(({ eb, or }) => or([eb('f.last_seen_at', '<', unseenSince), eb('f.last_seen_at', 'is', null)]))
  if (hidden.length > 0) query = query.where('f.project', 'not in', [...hidden])
  return query
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('code_references as o')
            .innerJoin('code_repositories as d', (join) =>
              join.onRef('d.name', '=', 'o.repository').onRef('d.default_branch', '=', 'o.branch'),
            )
            .select('o.repository')
            .whereRef('o.feature_name', '=', 'f.name')
            .whereRef('o.project', '=', 'f.project'),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('feature_snoozes as s')
            .select('s.feature_name')
            .whereRef('s.feature_name', '=', 'f.name')
            .where('s.until', '>', filter.now),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('feature_dependencies as p')
            .innerJoin('features as k', 'k.name', 'p.child')
            .select('p.child')
            .whereRef('p.parent', '=', 'f.name')
            .where('k.archived_at', 'is', null),
        ),
      ),
    )
    .limit(filter.limit)
    .execute()
}
