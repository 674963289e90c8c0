import { invalid, notFound } from '@burgee/kit/input/refusals'
import {
  type CodeBranch,
  type CodeBranchInput,
  type CodeExtinctions,
  MAX_BRANCHES,
  MAX_PLACES,
  MAX_REFERENCES,
  MAX_STORED_REFERENCES,
} from '@burgee/protocol/administration/code-references'
import { Problem } from '@burgee/protocol/problem'
import type { Tx } from '@burgee/storage/database'
import type { StoredPlace } from '@burgee/storage/queries/code-references/code-reference-tables'
import { findProjectsOfFlags, putExtinctions } from '@burgee/storage/queries/code-references/extinctions'
import {
  countReferences,
  listReferencedFlags,
  listReferencedProjects,
  type NewReferences,
  replaceReferences,
} from '@burgee/storage/queries/code-references/references'
import {
  type BranchKey,
  deleteBranches,
  hasBranch,
  type ListedBranchRow,
  listBranches,
  putBranch,
} from '@burgee/storage/queries/code-references/repositories'
import { listScans, putScans } from '@burgee/storage/queries/code-references/scans'
import { listProjectIds } from '@burgee/storage/queries/projects/projects'
import type { Actor } from '../../core/access/rights/rights.ts'
import { requireAllUploads, requireRepository, requireUploads } from './code-repositories.ts'
import { selectProjects } from './upload-order.ts'

/** Maximum length of the source lines stored with a reference, in UTF-16 code units. */
const MAX_LINES_LENGTH = 2000
/** Maximum length of a commit message. */
const MAX_MESSAGE_LENGTH = 200

/**
 * Replaces the references of a branch, except in projects that the actor may not update, and in projects for which a
 * later upload is stored. A flag that has lost its last reference in the default branch counts as removed by the
 * uploaded revision.
 *
 * Throws NotFoundError for an unknown repository, ConflictError if later uploads are stored for all projects,
 * PayloadTooLargeError for too many references, ValidationError for an unknown project, and NoAccessError for a project
 * whose flags the actor may not update.
 */
export async function replaceBranch(
  tx: Tx,
  actor: Actor,
  { key, body }: { readonly key: BranchKey; readonly body: CodeBranchInput },
): Promise<void> {
  const repository = await requireRepository(tx, actor, key.repository)
  await requireRoom(tx, key)
  const rows = groupByFlag(key, body)
  await requireProjects(tx, actor, rows)
  const { head, syncTime, commitTime, updateSequenceId: sequence } = body
  // locks the branch, so that concurrent uploads of the same branch wait for each other
  await putBranch(tx, { ...key, head, synced_at: syncTime, committed_at: commitTime ?? null })
  const before = await listReferencedFlags(tx, key)
  const projects = selectProjects(actor, { rows, before, sequence, scans: await listScans(tx, key) })
  if (projects === undefined)
    throw new Problem('ConflictError', `A later upload of the branch "${key.branch}" is stored.`)
  const isReplaced = ({ project }: { readonly project: string }) => projects.includes(project)
  const after = rows.filter(isReplaced)
  await putScans(
    tx,
    projects.map((project) => ({ ...key, project, head, update_sequence_id: sequence ?? null })),
  )
  await replaceReferences(tx, key, { projects, rows: after })
  await requireStorage(tx)
  if (key.branch === repository.default_branch) {
    await recordRemovals(tx, key, { body, before: before.filter(isReplaced), after })
  }
}

async function requireRoom(tx: Tx, { repository, branch }: BranchKey): Promise<void> {
  const branches = await listBranches(tx, repository)
  if (branches.length < MAX_BRANCHES || branches.some((one) => one.branch === branch)) return
  throw invalid(`A repository can have at most ${MAX_BRANCHES} branches: delete some of them.`, 'body/name')
}

async function requireStorage(tx: Tx): Promise<void> {
  if ((await countReferences(tx)) <= MAX_STORED_REFERENCES) return
  const message = `The server stores at most ${MAX_STORED_REFERENCES} code references: delete branches.`
  throw new Problem('PayloadTooLargeError', message)
}

async function requireProjects(tx: Tx, actor: Actor, rows: readonly NewReferences[]): Promise<void> {
  const named = [...new Set(rows.map(({ project }) => project))]
  if (named.length === 0) return
  const ids = new Set(await listProjectIds(tx))
  const missing = named.find((project) => !ids.has(project) || actor.hidden.includes(project))
  if (missing !== undefined) throw invalid(`There is no project "${missing}".`, 'body/references')
  requireUploads(actor, named)
}

/**
 * Groups the references of an upload by project and then by flag. Throws PayloadTooLargeError for too many references.
 */
function groupByFlag(key: BranchKey, { references = [] }: CodeBranchInput): NewReferences[] {
  const all = references.reduce((sum, { hunks }) => sum + hunks.length, 0)
  if (all > MAX_REFERENCES) {
    throw new Problem('PayloadTooLargeError', `An upload can have at most ${MAX_REFERENCES} references, not ${all}.`)
  }
  const groups = new Map<string, { project: string; flag: string; count: number; places: StoredPlace[] }>()
  for (const { path, hunks } of references) {
    for (const { projKey: project, flagKey: flag, startingLineNumber: line, lines } of hunks) {
      const id = JSON.stringify([project, flag])
      const group = groups.get(id) ?? { project, flag, count: 0, places: [] }
      groups.set(id, group)
      group.count += 1
      const shown = lines === undefined || lines === '' ? {} : { lines: lines.slice(0, MAX_LINES_LENGTH) }
      if (group.places.length < MAX_PLACES) group.places.push({ path, line, ...shown })
    }
  }
  return [...groups.values()].map(({ project, flag, count, places }) => ({
    ...key,
    project,
    feature_name: flag,
    reference_count: count,
    places: JSON.stringify(places),
  }))
}

type ReferencedFlag = Pick<NewReferences, 'project' | 'feature_name'>

interface Replacement {
  readonly body: CodeBranchInput
  readonly before: readonly ReferencedFlag[]
  readonly after: readonly ReferencedFlag[]
}

/** Records which flags have lost their last reference in the default branch. */
async function recordRemovals(tx: Tx, key: BranchKey, { body, before, after }: Replacement): Promise<void> {
  const toId = ({ project, feature_name }: ReferencedFlag) => JSON.stringify([project, feature_name])
  const remaining = new Set(after.map(toId))
  const gone = before.filter((one) => !remaining.has(toId(one)))
  const known = await findProjectsOfFlags(
    tx,
    gone.map(({ feature_name }) => feature_name),
  )
  const removal = { revision: body.head, message: '', removed_at: body.commitTime ?? body.syncTime }
  const rows = gone
    .filter(({ project, feature_name }) => known.get(feature_name) === project)
    .map(({ feature_name }) => ({ ...key, feature_name, ...removal }))
  await putExtinctions(tx, rows)
}

/**
 * Stores removals of flags that the scanner has found in the history of a branch. Ignores flags that do not exist in
 * the given project, and all branches except the default branch. Throws NotFoundError for an unknown repository or
 * branch, and NoAccessError if the actor may not update the flags.
 */
export async function addExtinctions(
  tx: Tx,
  actor: Actor,
  { key, body }: { readonly key: BranchKey; readonly body: CodeExtinctions },
): Promise<void> {
  const repository = await requireRepository(tx, actor, key.repository)
  if (!(await hasBranch(tx, key))) throw notFound(`The repository "${key.repository}" has no branch "${key.branch}".`)
  // a hidden project counts as one that does not exist
  const visible = body.filter(({ projKey }) => !actor.hidden.includes(projKey))
  requireUploads(actor, [...new Set(visible.map(({ projKey }) => projKey))])
  if (key.branch !== repository.default_branch) return
  const names = visible.map(({ flagKey }) => flagKey)
  const projects = await findProjectsOfFlags(tx, names)
  // one statement cannot write the same row twice
  const newest = new Map<string, CodeExtinctions[number]>()
  for (const one of visible) {
    const known = newest.get(one.flagKey)
    if (projects.get(one.flagKey) === one.projKey && (known === undefined || known.time < one.time))
      newest.set(one.flagKey, one)
  }
  const rows = [...newest.values()].map(({ flagKey, revision, message, time }) => ({
    ...key,
    feature_name: flagKey,
    revision,
    message: (message.split('\n', 1)[0] ?? '').slice(0, MAX_MESSAGE_LENGTH).toWellFormed(),
    removed_at: time,
  }))
  await putExtinctions(tx, rows)
}

/**
 * Deletes branches with their references. Ignores unknown names. Throws NotFoundError for an unknown repository, and
 * NoAccessError unless the actor may update the flags of all projects to which the branches refer.
 */
export async function removeBranches(
  tx: Tx,
  actor: Actor,
  { repository, branches }: { readonly repository: string; readonly branches: readonly string[] },
): Promise<void> {
  await requireRepository(tx, actor, repository)
  if (branches.length === 0) return
  requireAllUploads(actor, await listReferencedProjects(tx, repository, branches))
  await deleteBranches(tx, repository, branches)
}

/** Converts a stored branch to the form of the scanner's protocol. */
export function toBranch(row: ListedBranchRow): CodeBranch {
  return {
    name: row.branch,
    head: row.head,
    syncTime: Number(row.synced_at),
    ...(row.update_sequence_id === null ? {} : { updateSequenceId: Number(row.update_sequence_id) }),
    ...(row.committed_at === null ? {} : { commitTime: Number(row.committed_at) }),
  }
}
