import { expect, test } from 'vitest'
import { listPermissions } from './listed-permissions.ts'

const ENVIRONMENTS = new Map([
  ['web', ['development', 'production']],
  ['shop', ['production', 'staging']],
])
type Listed = { permission: string; project?: string; environment?: string }

test.each<[name: string, grant: Listed, listed: Listed[]]>([
  ['a permission without an environment', { permission: 'A', project: 'web' }, [{ permission: 'A', project: 'web' }]],
  [
    'a permission in one environment',
    { permission: 'A', project: 'web', environment: 'production' },
    [{ permission: 'A', project: 'web', environment: 'production' }],
  ],
  [
    "a permission in all of a project's environments",
    { permission: 'A', project: 'web', environment: '*' },
    [
      { permission: 'A', project: 'web', environment: 'development' },
      { permission: 'A', project: 'web', environment: 'production' },
    ],
  ],
  [
    'a permission in all environments of all projects',
    { permission: 'A', project: '*', environment: '*' },
    [
      { permission: 'A', project: '*', environment: 'development' },
      { permission: 'A', project: '*', environment: 'production' },
      { permission: 'A', project: '*', environment: 'staging' },
    ],
  ],
  ['a permission in a project without environments', { permission: 'A', project: 'none', environment: '*' }, []],
])('%s is listed once for each environment', (_name, grant, listed) => {
  expect(listPermissions({ grants: [grant] } as never, ENVIRONMENTS)).toEqual(listed)
})
