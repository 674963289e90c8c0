import { type RemovalBlocker, SAME_RESULT_DAYS } from '@burgee/protocol/administration/removal'
import type { Reader } from '@burgee/storage/database'
import { listRequestRows } from '@burgee/storage/queries/change-requests/requests'
import { listPlansOfFlags } from '@burgee/storage/queries/releases/release-plans'
import type { CatalogFlag } from '../catalog/catalog-flag.ts'
import { MAX_LISTED } from '../change-requests/request-lists.ts'
import { describePath, type EnvironmentResult } from './kept-path.ts'

const DAY_MS = 86_400_000

/** User id that no user has, so that the query leaves out drafts, which only their authors see. */
const NOBODY = 0

/** Facts that decide whether a flag can be removed. Times are milliseconds since 1970. */
export interface RemovalFacts {
  readonly flag: CatalogFlag
  readonly results: readonly EnvironmentResult[]
  /** True if all production environments give every user the same result. */
  readonly isSame: boolean
  /** Time since which all production environments have given this result; meaningless if `isSame` is false. */
  readonly since: number
  readonly children: readonly string[]
  /** Number of code references in default branches. */
  readonly referenceCount: number
  readonly now: number
  /** Number of days without an evaluation by an SDK after which a flag counts as unused. */
  readonly unusedFlagDays: number
  /** Base path of the UI. */
  readonly basePath: string
}

/**
 * Lists everything that prevents the flag from being removed from the code, and then what prevents it from being
 * archived.
 */
export async function listBlockers(reader: Reader, facts: RemovalFacts): Promise<RemovalBlocker[]> {
  const { flag, basePath } = facts
  const project = `${basePath}/projects/${encodeURIComponent(flag.row.project)}`
  const toFlag = (name: string) => `${project}/features/${encodeURIComponent(name)}`
  const code = (kind: RemovalBlocker['kind'], text: string, link = toFlag(flag.name)): RemovalBlocker => ({
    kind,
    blocks: 'code',
    text,
    link,
  })
  const plans = await listPlansOfFlags(reader, [flag.name])
  const states = ['In review', 'Approved', 'Scheduled'] as const
  const filter = { project: flag.row.project, states, feature: flag.name }
  const requests = await listRequestRows(reader, filter, { asker: NOBODY, limit: MAX_LISTED })
  return [
    ...listTargeting(facts).map((text) => code('targeting', text)),
    ...facts.children.map((child) => code('children', `The flag "${child}" depends on it.`, toFlag(child))),
    ...plans.map(({ environment }) => code('plan', `A release plan is active in "${environment}".`)),
    ...requests.map(({ id, environment }) =>
      code(
        'changeRequest',
        `Change request #${id} would change it in "${environment}".`,
        `${project}/change-requests/${id}`,
      ),
    ),
    ...listArchiveBlockers(facts, toFlag(flag.name)),
  ]
}

function listTargeting({ flag, results, isSame, since, now }: RemovalFacts): string[] {
  if (flag.isArchived) return []
  if (results.length === 0) return ['The flag is in no environment.']
  if (!isSame) return [`Not all users get the same result: ${formatResults(results)}.`]
  if (now - since >= SAME_RESULT_DAYS * DAY_MS) return []
  const day = new Date(since).toISOString().slice(0, 10)
  return [`All users have had the same result only since ${day}: wait until ${SAME_RESULT_DAYS} days have passed.`]
}

/** Describes the results of environments, such as `"eu" is enabled, "us" is disabled`. */
export function formatResults(results: readonly EnvironmentResult[]): string {
  return results.map(({ environment, path }) => `"${environment}" ${describePath(path)}`).join(', ')
}

function listArchiveBlockers(facts: RemovalFacts, link: string): RemovalBlocker[] {
  const { flag, referenceCount: count, now, unusedFlagDays: days } = facts
  if (flag.isArchived) return []
  const seen = flag.row.last_seen_at
  const isInUse = seen !== null && now - Number(seen) < days * DAY_MS
  const places = `${count} ${count === 1 ? 'place' : 'places'} in the code`
  return [
    ...(count === 0 ? [] : [{ kind: 'references', blocks: 'archive', text: `${places} ask for it.`, link } as const]),
    ...(isInUse
      ? [
          {
            kind: 'evaluated',
            blocks: 'archive',
            text: `SDKs asked for it in the last ${days === 1 ? 'day' : `${days} days`}.`,
            link,
          } as const,
        ]
      : []),
  ]
}
