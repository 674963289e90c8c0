import { expect, test } from 'vitest'
import { listOutdatedVersions, listWithoutParentSupport } from './sdk-versions.ts'

test.each<[readonly string[], readonly string[]]>([
  [[], []],
  [['node:1.0.0'], []],
  [['node:1.0.0', 'node:1.0.0'], []],
  [['node:1.0.0', 'java:2.0.0'], []],
  [
    ['node:1.10.0', 'node:1.9.0', 'node:1.2.3', 'node:1.9.0'],
    ['node:1.2.3', 'node:1.9.0'],
  ],
  [['node:2.0.0', 'node:2.0.0-beta.1'], ['node:2.0.0-beta.1']],
  [['a:b:1.0.0', 'a:b:2.0.0', 'a:1.0.0'], ['a:b:1.0.0']],
  [['node:latest', 'node:1.0.0', 'node', ':1.0.0', ''], []],
  [['__proto__:1.0.0', '__proto__:1.0.1'], ['__proto__:1.0.0']],
])('out of %j, %j are outdated', (versions, outdated) => {
  expect(listOutdatedVersions(versions)).toEqual(outdated)
})

test.each<[sdkVersion: string, knownFrom: string | undefined]>([
  ['unleash-client-node:4.1.9', '4.2.0'],
  ['unleash-client-node:4.2.0', undefined],
  ['unleash-client-node:4.2.0-beta.1', '4.2.0'],
  ['unleash-client-node:v3.0.0', '4.2.0'],
  ['unleash-client-php:2.1.0', '2.2.0'],
  ['unleash-edge:13.0.9', '13.1.0'],
  ['unleash-client-rust:0.1.0', undefined],
  ['constructor:0.1.0', undefined],
  ['unleash-client-node', undefined],
])('%s knows parents of flags from %s on', (sdkVersion, knownFrom) => {
  expect(listWithoutParentSupport([sdkVersion, sdkVersion])).toEqual(
    knownFrom === undefined ? [] : [{ sdkVersion, knownFrom }],
  )
})
