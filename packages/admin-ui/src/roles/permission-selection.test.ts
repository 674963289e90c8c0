import { expect, test } from 'vitest'
import { toGrantedPermissions, toPermissionSelection } from './permission-selection.ts'

const ENVIRONMENT = 'UPDATE_FEATURE_ENVIRONMENT'

test.each([
  ['a permission of projects', ['UPDATE_FEATURE'], [{ name: 'UPDATE_FEATURE' }]],
  ['a permission of one environment', [`${ENVIRONMENT} in a`], [{ name: ENVIRONMENT, environment: 'a' }]],
  ['a permission of all environments', [ENVIRONMENT], [{ name: ENVIRONMENT, environment: '*' }]],
  ['all environments and one of them', [ENVIRONMENT, `${ENVIRONMENT} in a`], [{ name: ENVIRONMENT, environment: '*' }]],
  ['a permission that is left out', ['CREATE_PROJECT', 'UPDATE_FEATURE'], [{ name: 'UPDATE_FEATURE' }]],
])('sends %s', (_name, chosen, given) => {
  expect(toGrantedPermissions(new Set(chosen), ['CREATE_PROJECT'])).toEqual(given)
  expect(toGrantedPermissions(toPermissionSelection(given), [])).toEqual(given)
})
