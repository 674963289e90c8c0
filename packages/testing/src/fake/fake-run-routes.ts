import { hash, timingSafeEqual } from 'node:crypto'
import type { Access } from '@burgee/edge/http/check-token'
import { type Caller, Reply, type Route, type RouteShape, routesFor } from '@burgee/kit/http/route'
import {
  NewTestRun,
  TestRunInput,
  TestRunList,
  TestRunState,
  TestRunUpdate,
} from '@burgee/protocol/administration/test-run'
import { Problem } from '@burgee/protocol/problem'
import Type from 'typebox'
import type { FakeRuns } from './fake-runs.ts'

const RUNS = '/api/admin/projects/:projectId/test-runs'
const ProjectParams = Type.Object({ projectId: Type.String() })
const RunParams = Type.Object({ projectId: Type.String(), runId: Type.String() })
const LOGIN = 'The request has no token, or a token that the fake server does not know.'

/** Creates the test-run routes of a Burgee server. Only callers with the admin token may use them. */
export function fakeRunRoutes(runs: FakeRuns, adminToken: string): Route<Access>[] {
  const route = routesFor<Access>()
  const common = {
    permission: 'public',
    tag: 'Test runs',
    problems: ['ValidationError'],
    first: (caller: Caller) => requireAdmin(caller, adminToken),
  }
  const one = { ...common, url: `${RUNS}/:runId`, params: RunParams }
  return [
    route({
      ...common,
      method: 'POST',
      url: RUNS,
      summary: 'Starts a test run.',
      params: ProjectParams,
      body: TestRunInput,
      replies: { 201: { description: 'The run with its tokens', schema: NewTestRun } },
      handle: ({ params, body }) => reply(() => Reply.json(201, runs.start(params.projectId, body))),
    }),
    route({
      ...common,
      method: 'GET',
      url: RUNS,
      summary: 'Lists the test runs of a project.',
      params: ProjectParams,
      replies: { 200: { description: 'The runs', schema: TestRunList } },
      handle: ({ params }) => ({ testRuns: runs.list(params.projectId) }),
    }),
    route({
      ...one,
      method: 'PATCH',
      summary: 'Changes overrides during a test run.',
      body: TestRunUpdate,
      replies: { 200: { description: 'The run', schema: TestRunState } },
      handle: ({ params, body }) =>
        reply(async () => Reply.json(200, await runs.change(params.projectId, params.runId, body))),
    }),
    route({
      ...one,
      method: 'DELETE',
      summary: 'Ends a test run.',
      replies: ENDED,
      handle: ({ params }) =>
        reply(() => {
          runs.end(params.projectId, params.runId)
          return new Reply(200)
        }),
    }),
  ]
}

const ENDED: RouteShape['replies'] = { 200: { description: 'Ended' } }

function requireAdmin({ headers }: Caller, adminToken: string): Reply | Readonly<Record<string, string>> {
  const sent = headers.authorization ?? ''
  const isAdmin = timingSafeEqual(hash('sha256', sent, 'buffer'), hash('sha256', adminToken, 'buffer'))
  return isAdmin ? {} : toReply(new Problem('AuthenticationRequired', LOGIN))
}

/** Returns the reply of a handler; problems have the form in which a server returns them. */
async function reply(handle: () => Reply | Promise<Reply>): Promise<Reply> {
  try {
    return await handle()
  } catch (error) {
    if (error instanceof Problem) return toReply(error)
    throw error
  }
}

function toReply(problem: Problem): Reply {
  const rendered = problem.toJSON()
  const details = rendered.details ?? [{ message: rendered.message }]
  return Reply.json(problem.status, { ...rendered, details })
}
