import { expect, test } from 'vitest'
import { getClientKind } from './client-kind.ts'

test.each([
  ['unleash-node-sdk:6.12.1', false, 'server'],
  ['unleash-client-js:3.7.0', true, 'frontend'],
  ['unleash-proxy-client:3.7.0', true, 'frontend'],
  [null, true, 'frontend'],
  [null, false, 'server'],
  ['burgee-proxy:0.1.0', false, 'proxy'],
  ['unleash-edge:19.0.0', false, 'edge'],
  ['burgee-edge:0.1.0', false, 'edge'],
] as const)('%s with a public token: %s is a client of kind %s', (sdkVersion, isPublic, kind) => {
  expect(getClientKind(sdkVersion, isPublic)).toBe(kind)
})
