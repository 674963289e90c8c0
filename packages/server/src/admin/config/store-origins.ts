import type { ConfigFileKind } from '@burgee/protocol/administration/config-files'
import type { ConfigSource } from '@burgee/protocol/administration/config-plan'
import type { Tx } from '@burgee/storage/database'
import { listFeaturesByName } from '@burgee/storage/queries/flags/features'
import { deleteOrigins, listOrigins, type OriginRow, putOrigins } from '@burgee/storage/queries/transfer/config-origins'
import { type Actor, hasPermission } from '../../core/access/rights/rights.ts'

/** Object that a file describes, and the path of the file. */
export interface DescribedObject {
  readonly kind: ConfigFileKind
  readonly name: string
  readonly path: string
}

/** Files that were applied, and the objects that they describe. */
export interface AppliedFiles {
  readonly actor: Actor
  readonly project: string
  readonly prune: boolean
  /** Environment to which the apply was limited; undefined for all environments. */
  readonly environment: string | undefined
  readonly source: ConfigSource
  readonly described: readonly DescribedObject[]
}

/** Permission to change objects that all projects share; files without it do not manage these objects. */
const SHARED: Partial<Record<ConfigFileKind, string>> = {
  Segment: 'UPDATE_SEGMENT',
  ContextField: 'UPDATE_CONTEXT_FIELD',
  ReleaseTemplate: 'RELEASE_PLAN_TEMPLATE_UPDATE',
}

/**
 * Stores which files manage the objects of a project, and removes the origins that `selectReleased` returns. An apply
 * that is limited to an environment only stores the origins of flags, because it does not change the other objects.
 * Returns true if an origin has changed.
 */
export async function storeOrigins(tx: Tx, applied: AppliedFiles, now: number): Promise<boolean> {
  const { project, source } = applied
  const stored = await listOrigins(tx, project)
  const known = new Map(stored.map((row) => [getKey(row), row]))
  const described = await selectManaged(tx, applied)
  const changed = described
    .map(({ kind, name, path }): OriginRow => {
      const { repository, commit: commit_id } = source
      const feature_name = kind === 'Flag' ? name : null
      return { project, kind, name, feature_name, repository, commit_id, path, applied_at: now, drifted_at: null }
    })
    .filter((row) => !isSameOrigin(known.get(getKey(row)), row))
  await putOrigins(tx, changed)
  const released = selectReleased(stored, applied)
  await deleteOrigins(tx, released)
  return changed.length > 0 || released.length > 0
}

/**
 * Returns the origins of objects whose management ends: objects that no file describes any longer, although an earlier
 * apply of the same repository did. If the apply prunes, also origins of other repositories. An apply that is limited
 * to an environment ends no management.
 */
export function selectReleased(
  stored: readonly OriginRow[],
  { prune, environment, source, described }: Pick<AppliedFiles, 'prune' | 'environment' | 'source' | 'described'>,
): readonly OriginRow[] {
  if (environment !== undefined) return []
  const all = new Set(described.map(getKey))
  return stored.filter((row) => !all.has(getKey(row)) && (prune || row.repository === source.repository))
}

const getKey = ({ kind, name }: Pick<DescribedObject, 'kind' | 'name'>): string => `${kind} ${name}`

/** Returns the described objects whose origin is stored. */
async function selectManaged(
  tx: Tx,
  { actor, project, environment, described }: AppliedFiles,
): Promise<readonly DescribedObject[]> {
  const flags = described.filter(({ kind }) => kind === 'Flag')
  const rows = await listFeaturesByName(
    tx,
    flags.map(({ name }) => name),
  )
  const own = new Set(rows.filter((row) => row.project === project).map(({ name }) => name))
  const others = described.filter(({ kind }) => {
    const permission = SHARED[kind]
    return environment === undefined && permission !== undefined && hasPermission(actor, permission, { project })
  })
  return [...flags.filter(({ name }) => own.has(name)), ...others]
}

function isSameOrigin(before: OriginRow | undefined, after: OriginRow): boolean {
  return (
    before !== undefined &&
    before.repository === after.repository &&
    before.commit_id === after.commit_id &&
    before.path === after.path &&
    before.drifted_at === null
  )
}
