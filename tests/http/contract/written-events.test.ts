import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { EVENTS } from '@burgee/protocol/event'
import { BACKGROUND_EVENTS, CONSEQUENCES, OPERATION_EVENTS } from '@burgee/server/admin/events/operation-events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

/**
 * `written-events.txt` lists the operations and event types that the HTTP scenarios have written. To write it again,
 * run `tests/http` with `RECORD_EVENTS=<empty folder>`, then this test with `UPDATE_TABLES=1` and the same folder.
 */
const RECORDING = join(import.meta.dirname, 'written-events.txt')

/** Declared events that no scenario writes, and the case in which the server writes each of them. */
const UNWRITTEN: Readonly<Record<string, string>> = {
  'DELETE /api/admin/projects/:projectId/groups/:groupId/roles/:roleId\tproject-access-group-roles-updated':
    'the group has several roles and keeps the others',
  'POST /api/admin/features-batch/import\tfeature-environment-disabled': 'the document changes an existing flag',
  'POST /api/admin/features-batch/import\tfeature-metadata-updated': 'the document changes an existing flag',
  'POST /api/admin/features-batch/import\tfeature-stale-off': 'the document changes an existing flag',
  'POST /api/admin/features-batch/import\tfeature-stale-on': 'the document changes an existing flag',
  'POST /api/admin/projects/:projectId/config/apply\tfeature-link-added': 'the project has link templates',
  'POST /api/admin/projects/:projectId/delete\tfeature-dependency-removed': 'an archived flag has a parent',
  'POST /api/admin/projects/:projectId/features/:featureName/history/restoration\tstrategy-order-changed':
    'only the order of strategies has changed since',
  'POST /api/admin/projects/:projectId/features/:featureName/history/restoration\ttag-created':
    'the restored tag was deleted since',
  'POST /api/admin/projects/:projectId/groups/:groupId/roles/:roleId\tproject-access-group-roles-updated':
    'the group has a role in the project already',
  'POST /api/admin/state/import\tapi-token-deleted': 'the document changes or drops existing content',
  'POST /api/admin/state/import\tfeature-dependency-removed': 'the document changes or drops existing content',
  'POST /api/admin/state/import\tfeature-environment-disabled': 'the document changes or drops existing content',
  'POST /api/admin/state/import\tfeature-metadata-updated': 'the document changes or drops existing content',
  'POST /api/admin/state/import\tfeature-stale-off': 'the document changes or drops existing content',
  'POST /api/admin/state/import\tstrategy-deleted': 'the document changes or drops existing content',
  'POST /api/admin/state/import\ttag-type-deleted': 'the document changes or drops existing content',
  'POST /mcp\tchange-discarded': 'a newer change of an agent replaces one of its draft, and moves to the end',
  'POST /mcp\tchange-edited': 'a newer change of an agent replaces one of its draft',
  'POST /mcp\tfeature-link-added': 'the project has link templates',
  'POST /api/admin/ui-config\tsetting-created': 'no allowed origins were stored before',
  'PUT /api/admin/projects/:projectId/access\tproject-access-group-roles-deleted':
    'the body leaves out a group that has a role',
  'PUT /api/admin/projects/:projectId/change-requests/:id/state\tfeature-dependencies-removed':
    'the change request removes all parents',
  'PUT /api/admin/projects/:projectId/change-requests/:id/state\tsegment-deleted':
    'the change request deletes a segment',
  'PUT /api/admin/projects/:projectId/groups/:groupId/roles\tproject-access-group-roles-deleted':
    'the body has no roles',
  'PUT /scim/v2/Groups/:id\tgroup-updated': 'the directory renames a group',
}

const pairs = (text: string): string[] => text.split('\n').filter(Boolean)
let server: TestServer
let recorded: ReadonlySet<string>

beforeAll(async () => {
  server = await startServer()
  const folder = process.env.RECORD_EVENTS
  if (process.env.UPDATE_TABLES === '1' && folder !== undefined) {
    const all = readdirSync(folder).flatMap((name) => pairs(readFileSync(join(folder, name), 'utf8')))
    writeFileSync(RECORDING, `${[...new Set(all)].sort().join('\n')}\n`)
  }
  recorded = new Set(pairs(readFileSync(RECORDING, 'utf8')))
})
afterAll(() => server.close())

test('every declared event is written by a scenario, or has a reason', () => {
  const declared = Object.entries(OPERATION_EVENTS).flatMap(([operation, types]) =>
    types.map((type) => `${operation}\t${type}`),
  )
  const unwritten = declared.filter((pair) => !recorded.has(pair))
  expect(unwritten.sort()).toEqual(Object.keys(UNWRITTEN).sort())
})

test('every recorded event is declared', () => {
  const declared = new Set(
    server.server.routes.flatMap(({ method, url, eventTypes = [] }) =>
      eventTypes.map((type) => `${method} ${url}\t${type}`),
    ),
  )
  const isOffered = (pair: string) =>
    server.server.routes.some(({ method, url }) => pair.startsWith(`${method} ${url}\t`))
  expect([...recorded].filter((pair) => isOffered(pair) && !declared.has(pair))).toEqual([])
})

test('every operation with events exists', () => {
  const operations = new Set(server.server.routes.map(({ method, url }) => `${method} ${url}`))
  expect(Object.keys(OPERATION_EVENTS).filter((operation) => !operations.has(operation))).toEqual([])
})

test('every event type is written by an operation, by the server itself, or in consequence of others', () => {
  const known = new Set([
    ...Object.values(OPERATION_EVENTS).flat(),
    ...Object.keys(BACKGROUND_EVENTS),
    ...CONSEQUENCES.map(({ type }) => type),
  ])
  expect(Object.keys(EVENTS).filter((type) => !known.has(type as keyof typeof EVENTS))).toEqual([])
})

test('the OpenAPI document lists the event types of an operation, sorted', async () => {
  const description = await server.server.app.inject({ url: '/docs/openapi.json' })
  const { paths } = description.json() as {
    paths: Record<string, Record<string, { 'x-event-types'?: readonly string[] }>>
  }
  const types = (path: string, method: string) => paths[path]?.[method]?.['x-event-types']
  expect(types('/api/admin/projects/{projectId}/features/{featureName}/environments/{environment}/on', 'post')).toEqual(
    [
      'change-request-skipped',
      'config-drift',
      'feature-environment-enabled',
      'feature-strategy-add',
      'feature-strategy-update',
    ],
  )
  expect(types('/api/admin/projects', 'get')).toBeUndefined()
})
