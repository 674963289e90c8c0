import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { startServer, type TestServer } from '../scenario.ts'
import { applyFiles, exportFiles, type File, fillProject, planFiles } from './config-project.ts'

/** Every kind of change that files can make to existing objects. */
let server: TestServer

beforeAll(async () => {
  server = await startServer()
  await fillProject(server)
})
afterAll(() => server.close())

// biome-ignore lint/suspicious/noExplicitAny: content of a file
type Edit = (content: any) => void

const EDITS: Readonly<Record<string, Edit>> = {
  'context-fields/plan.yaml': (content) => Object.assign(content, { description: 'Plan of the customer' }),
  'segments/Paying__all.yaml': ({ constraints }) => constraints[0].values.pop(),
  'release-templates/Careful.yaml': ({ milestones }) => Object.assign(milestones[0], { intervalMinutes: 30 }),
  'parent.yaml': (content) => {
    delete content.stale
    delete content.tags
    content.type = 'operational'
    content.environments.production.strategies.reverse()
  },
  'child-2.yaml': (content) => {
    delete content.dependencies
    content.environments.production = { enabled: false }
  },
}

const edit = (files: readonly File[]): File[] =>
  files
    .filter(({ path }) => path !== 'Child.yaml')
    .map(({ path, content }) => {
      const changed = parse(content)
      EDITS[path]?.(changed)
      return { path, content: stringify(changed) }
    })

test('an apply makes every kind of change, and then the plan is empty', async () => {
  const files = edit(await exportFiles(server))
  const { changes } = await planFiles(server, files, { prune: true })
  expect(changes.map(({ name, sentence }) => `${name}: ${sentence}`)).toEqual([
    'plan: Changes the context field "plan".',
    'Paying: all: Changes the segment "Paying: all" wherever it is used (constraints: 1 before, 1 after).',
    'Careful: Changes the release template "Careful". Existing release plans keep their milestones.',
    'parent: Changes type, stale.',
    'parent: Removes the tag simple:a:b.',
    'child: No longer depends on "parent".',
    'Child: Archives the flag, which no file describes.',
    'child: Turns it off in production.',
    'child: Removes the release plan in production, where it is on.',
    'parent: Changes the order of strategies in production, where it is on.',
  ])
  const last = await server.lastEventId()
  await applyFiles(server, files, { prune: true })
  expect([...new Set(await server.eventsAfter(last))].sort()).toEqual([
    'config-applied',
    'context-field-updated',
    'feature-archived',
    'feature-dependencies-removed',
    'feature-environment-disabled',
    'feature-metadata-updated',
    'feature-stale-off',
    'feature-strategy-remove',
    'feature-untagged',
    'release-plan-removed',
    'release-plan-template-updated',
    'segment-updated',
    'strategy-order-changed',
  ])
  expect(await planFiles(server, files, { prune: true })).toMatchObject({ changes: [], kept: [] })
})
