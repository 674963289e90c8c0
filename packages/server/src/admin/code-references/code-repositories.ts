import { invalid, notFound } from '@burgee/kit/input/refusals'
import {
  type CodeRepository,
  type CodeRepositoryInput,
  type CodeRepositoryPatch,
  MAX_REPOSITORIES,
} from '@burgee/protocol/administration/code-references'
import { Problem } from '@burgee/protocol/problem'
import type { Reader, Tx } from '@burgee/storage/database'
import { listReferencedProjects } from '@burgee/storage/queries/code-references/references'
import {
  countRepositories,
  deleteRepository,
  findRepository,
  insertRepository,
  listRepositoryProjects,
  type RepositoryRow,
  updateRepository,
} from '@burgee/storage/queries/code-references/repositories'
import { type Actor, hasPermission, requirePermission } from '../../core/access/rights/rights.ts'

/** Permission that an upload of code references requires in each project whose flags the upload names. */
export const UPLOAD = 'UPDATE_FEATURE'

/** Default branch of repositories that do not name one. */
const DEFAULT_BRANCH = 'main'

/**
 * Returns a repository. Throws NotFoundError if the repository does not exist, or if the actor may see none of the
 * projects to which it refers.
 */
export async function requireRepository(reader: Reader, { hidden }: Actor, name: string): Promise<RepositoryRow> {
  const row = await findRepository(reader, name)
  if (row !== undefined) {
    const projects = await listReferencedProjects(reader, name)
    if (projects.length === 0 || projects.some((project) => !hidden.includes(project))) return row
  }
  throw notFound(`There is no repository "${name}".`)
}

/** Throws NoAccessError unless the actor may update the flags of all given projects. */
export function requireUploads(actor: Actor, projects: readonly string[]): void {
  for (const project of projects) requirePermission(actor, UPLOAD, { project })
}

/**
 * Throws NoAccessError unless the actor may update the flags of all projects to which stored references belong. The
 * error names no project, because a project may be hidden from the actor.
 */
export function requireAllUploads(actor: Actor, projects: readonly string[]): void {
  if (projects.every((project) => hasPermission(actor, UPLOAD, { project }))) return
  throw new Problem('NoAccessError', `You need "${UPLOAD}" in all projects to which the references belong.`)
}

/** Adds a repository. Throws NameExistsError, and ValidationError if there are too many repositories. */
export async function addRepository(tx: Tx, input: CodeRepositoryInput, now: number): Promise<CodeRepository> {
  if ((await countRepositories(tx)) >= MAX_REPOSITORIES) {
    throw invalid(`There can be at most ${MAX_REPOSITORIES} repositories.`, 'body/name')
  }
  const row = {
    name: input.name,
    type: input.type ?? 'custom',
    source_link: input.sourceLink ?? '',
    commit_url_template: input.commitUrlTemplate ?? '',
    hunk_url_template: input.hunkUrlTemplate ?? '',
    default_branch: input.defaultBranch || DEFAULT_BRANCH,
    created_at: now,
  }
  if (await insertRepository(tx, row)) return toRepository(row)
  throw new Problem('NameExistsError', `There is already a repository named "${input.name}".`)
}

/**
 * Changes a repository with a merge patch. Throws NotFoundError, and NoAccessError unless the actor may update the
 * flags of all projects that have uploads or removals in the repository, because their pages show its links.
 */
export async function changeRepository(
  tx: Tx,
  actor: Actor,
  { name, patch }: { readonly name: string; readonly patch: CodeRepositoryPatch },
): Promise<CodeRepository> {
  const row = await requireRepository(tx, actor, name)
  requireAllUploads(actor, await listRepositoryProjects(tx, name))
  const { type, sourceLink, commitUrlTemplate, hunkUrlTemplate, defaultBranch } = patch
  const after = {
    ...row,
    ...(type !== undefined && { type: type ?? 'custom' }),
    ...(sourceLink !== undefined && { source_link: sourceLink ?? '' }),
    ...(commitUrlTemplate !== undefined && { commit_url_template: commitUrlTemplate ?? '' }),
    ...(hunkUrlTemplate !== undefined && { hunk_url_template: hunkUrlTemplate ?? '' }),
    ...(defaultBranch !== undefined && { default_branch: defaultBranch || DEFAULT_BRANCH }),
  }
  await updateRepository(tx, after)
  return toRepository(after)
}

/**
 * Deletes a repository with its branches, references and removals of flags. Throws NotFoundError, and NoAccessError
 * unless the actor may update the flags of all projects that have uploads or removals in the repository.
 */
export async function removeRepository(tx: Tx, actor: Actor, name: string): Promise<void> {
  await requireRepository(tx, actor, name)
  requireAllUploads(actor, await listRepositoryProjects(tx, name))
  await deleteRepository(tx, name)
}

/** Converts a stored repository to the form of the scanner's protocol. */
export function toRepository(row: RepositoryRow): CodeRepository {
  return {
    type: row.type,
    name: row.name,
    sourceLink: row.source_link,
    commitUrlTemplate: row.commit_url_template,
    hunkUrlTemplate: row.hunk_url_template,
    defaultBranch: row.default_branch,
    enabled: true,
  }
}
