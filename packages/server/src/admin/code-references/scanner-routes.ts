import { Reply } from '@burgee/kit/http/route'
import {
  CodeBranches,
  CodeBranchInput,
  CodeBranchNames,
  CodeExtinctions,
  CodeRepository,
  CodeRepositoryInput,
  CodeRepositoryPatch,
  FlagKeyList,
  KeyList,
} from '@burgee/protocol/administration/code-references'
import { listBranches } from '@burgee/storage/queries/code-references/repositories'
import { listProjectEnvironmentNames } from '@burgee/storage/queries/flags/features'
import Type from 'typebox'
import { record } from '../../core/execute.ts'
import { SCANNER } from '../../core/http/code-reference-paths.ts'
import { READ, REMOVE, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { ProjectParams } from '../../core/http/route-parts.ts'
import { requireProject } from '../../core/project-ref.ts'
import { addExtinctions, removeBranches, replaceBranch, toBranch } from './code-branches.ts'
import {
  addRepository,
  changeRepository,
  removeRepository,
  requireRepository,
  toRepository,
  UPLOAD,
} from './code-repositories.ts'
import { listFlagKeys } from './flag-keys.ts'

const REPOSITORIES = `${SCANNER}/code-refs/repositories`
const REPOSITORY = `${REPOSITORIES}/:repository`
const BRANCH = `${REPOSITORY}/branches/:branch`
/** Maximum size of an upload. */
const UPLOAD_LIMIT_BYTES = 8 * 1024 * 1024

const RepositoryParams = Type.Object({ repository: Type.String() })
const BranchParams = Type.Object({ repository: Type.String(), branch: Type.String({ minLength: 1, maxLength: 250 }) })

const STORED = { 200: { description: 'Stored' } } as const
const repositoryReply = (status: number) => ({
  [status]: { description: 'The repository', schema: CodeRepository },
})

const tag = 'Code references'

/** Routes that scanners call to get a project's flags. Source: wire protocol "Code references" */
const flagRoutes: Routes = [
  route({
    method: 'GET',
    url: `${SCANNER}/projects/:projectId/environments`,
    permission: null,
    tag,
    summary: 'Lists the environments of a project, for code scanners.',
    params: ProjectParams,
    query: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })) }),
    replies: { 200: { description: 'Environments', schema: KeyList } },
    problems: [...READ, 'ValidationError'],
    handle: ({ params: { projectId }, query: { limit } }, { db }) =>
      db.view(async (reader) => {
        await requireProject(reader, projectId)
        const names = await listProjectEnvironmentNames(reader, projectId)
        return { items: names.slice(0, limit).map((key) => ({ key })) }
      }),
  }),
  route({
    method: 'GET',
    url: `${SCANNER}/flags/:projectId`,
    permission: null,
    tag,
    summary: 'Lists the names of the flags of a project, for code scanners.',
    description: 'Without `limit`, the list has all names. `filter=state:archived` selects archived flags.',
    params: ProjectParams,
    query: Type.Object({
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
      offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000 })),
      env: Type.Optional(Type.String()),
      filter: Type.Optional(Type.String()),
    }),
    replies: { 200: { description: 'Names', schema: FlagKeyList } },
    problems: [...READ, 'ValidationError'],
    handle: async ({ params: { projectId }, query }, { db, catalog }) => {
      await requireProject(db.reader, projectId)
      return listFlagKeys((await catalog.flags()).table.values(), { project: projectId, ...query })
    },
  }),
]

/** Routes for the repositories that were scanned. */
const repositoryRoutes: Routes = [
  route({
    method: 'GET',
    url: REPOSITORY,
    permission: UPLOAD,
    tag,
    summary: 'Returns a repository whose code is scanned for flags.',
    params: RepositoryParams,
    replies: repositoryReply(200),
    problems: REMOVE,
    handle: async ({ params: { repository }, access: { actor } }, { db }) =>
      toRepository(await requireRepository(db.reader, actor, repository)),
  }),
  route({
    method: 'POST',
    url: REPOSITORIES,
    permission: UPLOAD,
    tag,
    summary: 'Adds a repository whose code is scanned for flags.',
    body: CodeRepositoryInput,
    replies: repositoryReply(201),
    problems: [...WRITE, 'NameExistsError'],
    handle: async ({ body }, world) =>
      Reply.json(201, await record(world, (tx) => addRepository(tx, body, world.clock()))),
  }),
  route({
    method: 'PATCH',
    url: REPOSITORY,
    permission: UPLOAD,
    tag,
    summary: 'Changes a repository by a merge patch.',
    params: RepositoryParams,
    body: CodeRepositoryPatch,
    replies: repositoryReply(200),
    problems: WRITE,
    handle: ({ params: { repository: name }, body: patch, access: { actor } }, world) =>
      record(world, (tx) => changeRepository(tx, actor, { name, patch })),
  }),
  route({
    method: 'DELETE',
    url: REPOSITORY,
    permission: UPLOAD,
    tag,
    summary: 'Deletes a repository with its branches, code references and removals of flags.',
    description: 'Needs the permission to update flags in each project that has uploads or removals in the repository.',
    params: RepositoryParams,
    replies: { 200: { description: 'Deleted' } },
    problems: REMOVE,
    handle: async ({ params: { repository }, access: { actor } }, world) => {
      await record(world, (tx) => removeRepository(tx, actor, repository))
      return new Reply(200)
    },
  }),
]

/** Routes for the references in the branches of a repository. */
const branchRoutes: Routes = [
  route({
    method: 'GET',
    url: `${REPOSITORY}/branches`,
    permission: UPLOAD,
    tag,
    summary: 'Lists the branches of a repository, with the scanned revision.',
    params: RepositoryParams,
    replies: { 200: { description: 'Branches', schema: CodeBranches } },
    problems: REMOVE,
    handle: ({ params: { repository }, access: { actor } }, { db }) =>
      db.view(async (reader) => {
        await requireRepository(reader, actor, repository)
        return { items: (await listBranches(reader, repository)).map(toBranch) }
      }),
  }),
  route({
    method: 'PUT',
    url: BRANCH,
    permission: UPLOAD,
    tag,
    summary: 'Replaces the code references of a branch.',
    description:
      'Needs the permission to update flags in each project of the references. References of projects that the token ' +
      'may not update stay. Each project has its own order of uploads by `updateSequenceId`: projects with a later ' +
      'upload stay as they are, and an upload that is outdated for all its projects gets 409.',
    params: BranchParams,
    body: CodeBranchInput,
    bodyLimitBytes: UPLOAD_LIMIT_BYTES,
    replies: STORED,
    problems: [...WRITE, 'ConflictError', 'PayloadTooLargeError'],
    handle: async ({ params: key, body, access: { actor } }, world) => {
      await record(world, (tx) => replaceBranch(tx, actor, { key, body }))
      return new Reply(200)
    },
  }),
  route({
    method: 'POST',
    url: `${BRANCH}/extinction-events`,
    permission: UPLOAD,
    tag,
    summary: 'Stores the commits that removed the last reference to a flag from a branch.',
    description: 'Only removals from the default branch are stored. The branch must have been uploaded before.',
    params: BranchParams,
    body: CodeExtinctions,
    bodyLimitBytes: UPLOAD_LIMIT_BYTES,
    replies: STORED,
    problems: WRITE,
    handle: async ({ params: key, body, access: { actor } }, world) => {
      await record(world, (tx) => addExtinctions(tx, actor, { key, body }))
      return new Reply(200)
    },
  }),
  route({
    method: 'POST',
    url: `${REPOSITORY}/branch-delete-tasks`,
    permission: UPLOAD,
    tag,
    summary: 'Deletes branches of a repository with their code references.',
    params: RepositoryParams,
    body: CodeBranchNames,
    replies: { 200: { description: 'Deleted' } },
    problems: WRITE,
    handle: async ({ params: { repository }, body: branches, access: { actor } }, world) => {
      await record(world, (tx) => removeBranches(tx, actor, { repository, branches }))
      return new Reply(200)
    },
  }),
]

/** Routes that `ld-find-code-refs` and `burgee refs scan` use. Source: wire protocol "Code references" */
export const scannerRoutes: Routes = [...flagRoutes, ...repositoryRoutes, ...branchRoutes]
