import { Reply } from '@burgee/kit/http/route'
import {
  NewTestRun,
  TestRunInput,
  TestRunList,
  TestRunState,
  TestRunUpdate,
} from '@burgee/protocol/administration/test-run'
import Type from 'typebox'
import { REMOVE, WRITE } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { ProjectParams } from '../../core/http/route-parts.ts'
import { changeTestRun, endTestRun, listRunsOfProject, startTestRun, TEST_RUN_PERMISSION } from './test-run-changes.ts'

const RUNS = '/api/admin/projects/:projectId/test-runs'
const common = { permission: TEST_RUN_PERMISSION, tag: 'Test runs' } as const
const one = {
  ...common,
  url: `${RUNS}/:runId`,
  params: Type.Object({ projectId: Type.String(), runId: Type.String() }),
} as const

/** Routes for test runs. They are not part of the wire protocol. */
export const testRunRoutes: Routes = [
  route({
    ...common,
    method: 'POST',
    url: RUNS,
    summary: 'Starts a test run: tokens of an environment with overrides on top.',
    description:
      'The tokens work with every SDK, proxy and edge, and with no admin API. They give access to the flags of the project in the environment; flags in `overrides` have the given state for every context. Flags change for no one else. A run ends at `expiresAt`, or with its project or environment. Usage of its tokens is not counted. Requires the permission in the environment.',
    params: ProjectParams,
    body: TestRunInput,
    replies: { 201: { description: 'The run with its tokens, which are not shown again', schema: NewTestRun } },
    problems: [...WRITE, 'InvalidOperationError', 'RateLimitError'],
    handle: async ({ params, body, access: { actor } }, world) =>
      Reply.json(201, await startTestRun(world, actor, params.projectId, body)),
  }),
  route({
    ...common,
    method: 'GET',
    url: RUNS,
    summary: 'Lists the test runs of a project that have not ended, newest first.',
    description: 'Includes only environments in which the caller may manage test runs. Tokens are not shown.',
    params: ProjectParams,
    replies: { 200: { description: 'The runs', schema: TestRunList } },
    problems: [...REMOVE, 'InvalidOperationError'],
    handle: async ({ params, access: { actor } }, world) => ({
      testRuns: await listRunsOfProject(world, actor, params.projectId),
    }),
  }),
  route({
    ...one,
    method: 'PATCH',
    summary: 'Changes overrides during a test run; streams receive the change at once.',
    description:
      'Null removes an override. Flags that the body does not name keep their override. Concurrent changes are applied one after the other. With `version`, the request gets a 409 if the run has another version.',
    body: TestRunUpdate,
    replies: { 200: { description: 'The run', schema: TestRunState } },
    problems: [...WRITE, 'ConflictError'],
    handle: ({ params: { projectId: project, runId: id }, body, access: { actor } }, world) =>
      changeTestRun(world, actor, { project, id }, body),
  }),
  route({
    ...one,
    method: 'DELETE',
    summary: 'Ends a test run; its tokens are rejected at once.',
    replies: { 200: { description: 'Ended' } },
    problems: REMOVE,
    handle: async ({ params: { projectId: project, runId: id }, access: { actor } }, world) => {
      await endTestRun(world, actor, { project, id })
      return new Reply(200)
    },
  }),
]
