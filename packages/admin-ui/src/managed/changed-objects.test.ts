import { expect, test } from 'vitest'
import { listChangedObjects } from './changed-objects.ts'

const F = '/api/admin/projects/shop/features'
test.each([
  [`${F}/a%20b`, {}, 'Flag', ['a b']],
  [`${F}/a/environments/production/on?x=1`, {}, 'Flag', ['a']],
  [`${F}/a/environments/production/strategies/1`, {}, 'Flag', ['a']],
  [`${F}/a/dependencies`, {}, 'Flag', ['a']],
  [`${F}/a/clone`, {}, 'Flag', []],
  [`${F}/a/comments`, {}, 'Flag', []],
  [`${F}/a/links/1`, {}, 'Flag', []],
  [`${F}/a/presence`, {}, 'Flag', []],
  ['/api/admin/features/a/tags', {}, 'Flag', ['a']],
  ['/api/admin/tags/features', { features: ['a', 'b'] }, 'Flag', ['a', 'b']],
  ['/api/admin/projects/shop/archive', { features: ['a'] }, 'Flag', ['a']],
  ['/api/admin/projects/shop/bulk_features/environments/production/on', { features: ['a'] }, 'Flag', ['a']],
  ['/api/admin/projects/shop/environments/production/change-requests', { feature: 'a' }, 'Flag', []],
  ['/api/admin/projects/shop/access/users/1', {}, 'Flag', []],
  ['/api/admin/user/notifications/read', {}, 'Flag', []],
  ['/api/admin/segments', { name: 'a' }, 'Flag', []],
  ['/api/admin/segments/1?allowEmpty=true', { name: 'a' }, 'Segment', ['1']],
  ['/api/admin/context/country', {}, 'ContextField', ['country']],
  ['/api/admin/release-plan-templates/01J', {}, 'ReleaseTemplate', ['01J']],
  ['/api/admin/release-plan-templates/archive/01J', {}, 'ReleaseTemplate', ['01J']],
])('a request to %s with %j changes %s %j', (path, body, kind, keys) => {
  const { project: _, ...changed } = listChangedObjects(path, body)
  expect(changed).toEqual({ kind, keys })
})
