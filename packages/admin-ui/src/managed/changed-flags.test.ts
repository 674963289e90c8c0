import { expect, test } from 'vitest'
import { listChangedFlags } from './changed-flags.ts'

const F = '/api/admin/projects/shop/features'
test.each([
  [`${F}/a%20b`, {}, ['a b']],
  [`${F}/a/environments/production/on?x=1`, {}, ['a']],
  [`${F}/a/environments/production/strategies/1`, {}, ['a']],
  [`${F}/a/dependencies`, {}, ['a']],
  [`${F}/a/clone`, {}, []],
  [`${F}/a/comments`, {}, []],
  [`${F}/a/links/1`, {}, []],
  ['/api/admin/features/a/tags', {}, ['a']],
  ['/api/admin/tags/features', { features: ['a', 'b'] }, ['a', 'b']],
  ['/api/admin/projects/shop/archive', { features: ['a'] }, ['a']],
  ['/api/admin/projects/shop/bulk_features/environments/production/on', { features: ['a'] }, ['a']],
  ['/api/admin/projects/shop/environments/production/change-requests', { feature: 'a' }, []],
  ['/api/admin/segments/1', { name: 'a' }, []],
])('a request to %s changes %j', (path, body, names) => {
  expect(listChangedFlags(path, body).names).toEqual(names)
})
