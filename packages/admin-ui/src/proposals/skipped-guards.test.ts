import { expect, test } from 'vitest'
import { type ChangeScope, findSkippedGuards } from './skipped-guards.ts'

const SETTINGS = [
  { environment: 'development', changeRequestEnabled: false },
  { environment: 'production', changeRequestEnabled: true },
  { environment: 'eu', changeRequestEnabled: true },
]

/** Users who may skip change requests must confirm. All other users get a message before anything is sent. */
test.each<[ChangeScope, readonly string[], readonly string[], readonly string[]]>([
  [{ project: 'shop', environment: 'development' }, [], [], []],
  [{ project: 'shop', environment: 'production' }, ['production'], ['production'], []],
  [{ project: 'shop', environment: 'production' }, ['eu'], [], ['production']],
  [{ project: 'shop' }, ['production', 'eu'], ['production', 'eu'], []],
  [{ project: 'shop' }, ['eu'], ['eu'], ['production']],
])('%j, free in %j: skips %j, refused by %j', (reach, free, skipped, refused) => {
  const may = (permission: string, { project, environment }: { project?: unknown; environment?: unknown }) =>
    permission === 'SKIP_CHANGE_REQUEST' && project === 'shop' && free.includes(String(environment))
  expect(findSkippedGuards(reach, SETTINGS, may)).toEqual({ skipped, refused })
})
