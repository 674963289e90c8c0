import { MAX_PLACES } from '@burgee/protocol/administration/code-references'
import { MAX_LISTED_REFERENCES, type Removal, SAME_RESULT_DAYS } from '@burgee/protocol/administration/removal'
import { listExtinctions } from '@burgee/storage/queries/code-references/extinctions'
import {
  listReferenceCounts,
  type ReferenceCount,
  readReferences,
} from '@burgee/storage/queries/code-references/references'
import { listChildren } from '@burgee/storage/queries/flags/dependencies'
import { listLifetimes } from '@burgee/storage/queries/flags/lifetimes'
import type { HttpWorld } from '../../core/http/route.ts'
import type { CatalogFlag } from '../catalog/catalog-flag.ts'
import { createFlagNotFound, type FeatureRef } from '../flags/feature-ref.ts'
import { toReferences, toRemoval } from './code-links.ts'
import { computeResults, type EnvironmentResult, findCommonPath } from './kept-path.ts'
import { readSince } from './last-result-change.ts'
import { formatResults, listBlockers } from './removal-blockers.ts'

/** Services on which the assessment depends. */
export type RemovalWorld = Pick<HttpWorld, 'db' | 'catalog' | 'clock' | 'options'>

/**
 * Assesses the removal of a flag, which may be archived. Throws NotFoundError if the flag is not in the project.
 */
export async function readRemoval(world: RemovalWorld, ref: FeatureRef): Promise<Removal> {
  const { baseUriPath: basePath, unusedFlagDays } = world.options
  const { table } = await world.catalog.flags()
  const flag = table.find(ref.feature)
  if (flag === undefined || flag.row.project !== ref.project) throw createFlagNotFound(ref)
  await world.catalog.refreshUsage([flag])
  const results = computeResults(flag, table)
  const keep = findCommonPath(results)
  return world.db.view(async (reader) => {
    const counts = await listReferenceCounts(reader, ref)
    const rows = await readReferences(reader, ref, selectListed(counts))
    const inDefault = counts.filter(({ branch, default_branch }) => branch === default_branch)
    const referenceCount = inDefault.reduce((sum, { reference_count }) => sum + reference_count, 0)
    const environments = results.map(({ environment }) => environment)
    const since = keep === undefined ? 0 : await readSince(reader, { flag, table, environments })
    const children = (await listChildren(reader, [flag.name])).map(({ child }) => child)
    const now = world.clock()
    const facts = {
      flag,
      results,
      isSame: keep !== undefined,
      since,
      children,
      referenceCount,
      now,
      basePath,
      unusedFlagDays,
    }
    const blockers = await listBlockers(reader, facts)
    const isPermanent = !(await listLifetimes(reader)).some(({ type }) => type === flag.row.type)
    const isBlocked = blockers.some(({ blocks }) => blocks === 'code')
    const removals = (await listExtinctions(reader, ref.feature)).map(toRemoval)
    return {
      verdict: getVerdict(isPermanent && !flag.isArchived, isBlocked),
      keep: keep ?? null,
      since: keep === undefined ? null : new Date(since).toISOString(),
      evidence: listEvidence({ flag, results, isSame: keep !== undefined, since, now, isPermanent }),
      blockers,
      references: rows.flatMap(toReferences).slice(0, MAX_LISTED_REFERENCES),
      referenceCount,
      removals,
    }
  })
}

/**
 * Returns the first branches that have as many references as a reply lists. The places of all branches together can be
 * large.
 */
function selectListed(counts: readonly ReferenceCount[]): readonly ReferenceCount[] {
  let places = 0
  return counts.filter(({ reference_count }) => {
    if (places >= MAX_LISTED_REFERENCES) return false
    places += Math.min(reference_count, MAX_PLACES)
    return true
  })
}

function getVerdict(isPermanent: boolean, isBlocked: boolean): Removal['verdict'] {
  if (isPermanent) return 'keep'
  return isBlocked ? 'notYet' : 'ready'
}

interface Findings {
  readonly flag: CatalogFlag
  readonly results: readonly EnvironmentResult[]
  readonly isSame: boolean
  readonly since: number
  readonly now: number
  readonly isPermanent: boolean
}

/** Lists the facts behind a verdict as sentences. */
function listEvidence({ flag, results, isSame, since, now, isPermanent }: Findings): string[] {
  const { archived_at: archivedAt, last_seen_at: seenAt, type } = flag.row
  const completed = flag.stages.find(({ stage }) => stage === 'completed')
  const days = Math.floor((now - since) / 86_400_000)
  return [
    ...(archivedAt === null ? [] : ['The flag is archived: SDKs evaluate it as disabled.']),
    ...(isPermanent ? [`Flags of the type "${type}" are permanent.`] : []),
    ...(results.length === 0 ? [] : [`Results in production: ${formatResults(results)}.`]),
    ...(isSame ? [`All users have had this result for ${days} days; ${SAME_RESULT_DAYS} are needed.`] : []),
    ...(completed === undefined ? [] : [`The flag was marked as completed on ${formatDay(completed.entered_at)}.`]),
    seenAt === null ? 'No SDK has asked for the flag.' : `An SDK last asked for the flag on ${formatDay(seenAt)}.`,
  ]
}

function formatDay(time: number): string {
  return new Date(Number(time)).toISOString().slice(0, 10)
}
