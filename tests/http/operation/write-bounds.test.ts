import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DescribedCalls, listWrites } from '../../support/described-writes.ts'
import { startServer, type TestServer } from '../scenario.ts'

/** Everything that callers without permission to change flags can store is limited. */
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

type Bound =
  /**
   * The write charges its events and everything else that it stores to the user's budget (`storage-budget.test.ts`).
   */
  | 'budget'
  /** The write stores rows of limited number and length. */
  | 'bounded rows'
  /** Reads only. */
  | 'nothing stored'
  /** The handler requires permission to change the flags, and callers with this permission are not charged. */
  | 'rights of the flags'
  /** The write stores a limited number of names, applications, instances and counts (`usage-bounds.test.ts`). */
  | 'usage bounds'
  /**
   * The write is limited per network and account, and the history stores a limited number of logins
   * (`tests/http/access`).
   */
  | 'login limits'
  /** The handler requires the token of the directory, which controls all accounts anyway. */
  | 'directory'

/** Writes for which no permission to change flags is required. */
const OPEN_WRITES: Readonly<Record<string, Bound>> = {
  'PUT /user/profile': 'budget',
  'POST /user/change-password': 'budget',
  'POST /user/tokens': 'budget',
  'POST /user/sessions/end': 'budget',
  'DELETE /user/tokens/:id': 'budget',
  'POST /projects/:projectId/favorites': 'budget',
  'DELETE /projects/:projectId/favorites': 'budget',
  'POST /projects/:projectId/features/:featureName/favorites': 'budget',
  'DELETE /projects/:projectId/features/:featureName/favorites': 'budget',
  'DELETE /projects/:projectId/features/:featureName/comments/:id': 'budget',
  'POST /projects/:projectId/environments/:environment/change-requests': 'budget',
  'DELETE /projects/:projectId/change-requests/:id': 'budget',
  'PUT /projects/:projectId/change-requests/:id/state': 'budget',
  'PUT /projects/:projectId/change-requests/:id/title': 'budget',
  'POST /projects/:projectId/change-requests/:id/comments': 'budget',
  'PUT /projects/:projectId/change-requests/:id/changes/:changeId': 'budget',
  'DELETE /projects/:projectId/change-requests/:id/changes/:changeId': 'budget',
  'PUT /projects/:projectId/change-requests/:id/approvers': 'budget',
  'POST /features-batch/export': 'budget',
  'POST /feedback': 'bounded rows',
  'PUT /feedback/:id': 'bounded rows',
  'POST /splash/:id': 'bounded rows',
  'PUT /user/notifications/read': 'bounded rows',
  'PUT /user/presence': 'bounded rows',
  'DELETE /user/presence': 'bounded rows',
  'PUT /user/presence/shown': 'bounded rows',
  'POST /api-tokens/connection': 'nothing stored',
  'POST /constraints/validate': 'nothing stored',
  'POST /events/search': 'nothing stored',
  'POST /features-batch/validate': 'nothing stored',
  'POST /playground': 'nothing stored',
  'POST /playground/advanced': 'nothing stored',
  'POST /playground/change-request/:id': 'nothing stored',
  'POST /projects/:projectId/config/plan': 'nothing stored',
  'POST /projects/:projectId/environments/:environment/promotions/plan': 'nothing stored',
  'POST /projects/:projectId/features/:featureName/environments/:environment/impact': 'nothing stored',
  'POST /record-ui-error': 'nothing stored',
  'POST /projects/:projectId/environments/:environment/promotions': 'rights of the flags',
  'POST /projects/:projectId/environments/:environment/promotions/undo': 'rights of the flags',
}

const SDK_REPORTS = ['client/metrics', 'client/register']
const SDK_EVALUATIONS = ['', '/all', '/features/{featureName}']

/** Writes outside the admin API. */
const OTHER_WRITES: Readonly<Record<string, Bound>> = {
  'POST /api/client/metrics': 'usage bounds',
  'POST /api/client/metrics/bulk': 'usage bounds',
  'POST /api/client/metrics/edge': 'usage bounds',
  'POST /api/client/register': 'usage bounds',
  'POST /edge/metrics': 'usage bounds',
  'POST /edge/validate': 'nothing stored',
  ...Object.fromEntries(
    ['/api/frontend', '/api/proxy'].flatMap((base) => [
      ...SDK_REPORTS.map((path) => [`POST ${base}/${path}`, 'usage bounds']),
      ...SDK_EVALUATIONS.map((path) => [`POST ${base}${path}`, 'usage bounds']),
    ]),
  ),
  'POST /mcp': 'rights of the flags',
  'POST /api/v2/code-refs/repositories': 'bounded rows',
  'PATCH /api/v2/code-refs/repositories/{repository}': 'bounded rows',
  'DELETE /api/v2/code-refs/repositories/{repository}': 'nothing stored',
  'PUT /api/v2/code-refs/repositories/{repository}/branches/{branch}': 'bounded rows',
  'POST /api/v2/code-refs/repositories/{repository}/branches/{branch}/extinction-events': 'bounded rows',
  'POST /api/v2/code-refs/repositories/{repository}/branch-delete-tasks': 'nothing stored',
  'POST /api/signal-endpoint/{name}': 'rights of the flags',
  'DELETE /mcp': 'nothing stored',
  'POST /ofrep/v1/evaluate/flags': 'usage bounds',
  'POST /ofrep/v1/evaluate/flags/{key}': 'usage bounds',
  'POST /openfeature/v0/manifest/flags': 'rights of the flags',
  'PUT /openfeature/v0/manifest/flags/{key}': 'rights of the flags',
  'DELETE /openfeature/v0/manifest/flags/{key}': 'rights of the flags',
  'POST /auth/simple/login': 'login limits',
  'POST /auth/reset/password': 'login limits',
  'POST /auth/reset/password-email': 'login limits',
  'POST /auth/reset/validate-password': 'nothing stored',
  // each link creates a limited number of accounts
  'POST /invite/{token}/signup': 'bounded rows',
  'POST /logout': 'nothing stored',
  'POST /scim/v2/Users': 'directory',
  'PUT /scim/v2/Users/{id}': 'directory',
  'PATCH /scim/v2/Users/{id}': 'directory',
  'DELETE /scim/v2/Users/{id}': 'directory',
  'POST /scim/v2/Groups': 'directory',
  'PUT /scim/v2/Groups/{id}': 'directory',
  'PATCH /scim/v2/Groups/{id}': 'directory',
  'DELETE /scim/v2/Groups/{id}': 'directory',
}

test('each write that requires no permission to change flags has a bound', () => {
  const base = '/api/admin'
  const open = server.server.routes.filter(
    ({ method, url, permission }) => method !== 'GET' && permission === null && url.startsWith(base),
  )
  const names = open.map(({ method, url }) => `${method} ${url.slice(base.length)}`)
  expect(names.sort()).toEqual(Object.keys(OPEN_WRITES).sort())
})

test('each write outside the admin API has a bound', async () => {
  const document: DescribedCalls = (await server.call({ call: 'GET /docs/openapi.json' })).json()
  const writes = listWrites(document).filter((call) => !call.includes(' /api/admin/'))
  expect(writes).toEqual(Object.keys(OTHER_WRITES).sort())
})

test('no write of the admin API is open to callers without a login', () => {
  const open = server.server.routes.filter(
    ({ method, url, permission }) => method !== 'GET' && permission === 'public' && url.startsWith('/api/admin'),
  )
  expect(open).toEqual([])
})
