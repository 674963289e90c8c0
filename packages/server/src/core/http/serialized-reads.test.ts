import { EventLoopBudget } from '@burgee/kit/event-loop-budget'
import type { Route } from '@burgee/kit/http/route'
import { expect, test } from 'vitest'
import { serializeReads } from './serialized-reads.ts'

test.each([
  ['GET', '/api/admin/projects', true],
  ['POST', '/mcp', true],
  ['POST', '/api/admin/projects', false],
  ['GET', '/api/client/features', false],
] as const)('%s %s uses the event-loop budget: %s', (method, url, isBudgeted) => {
  const route = { method, url, handle: () => undefined } as unknown as Route<undefined, undefined>
  expect(serializeReads(route, new EventLoopBudget()) !== route).toBe(isBudgeted)
})
