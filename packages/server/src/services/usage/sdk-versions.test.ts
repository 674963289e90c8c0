import { expect, test } from 'vitest'
import { outdatedVersions } from './sdk-versions.ts'

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
])('of %j outdated are %j', (versions, outdated) => {
  expect(outdatedVersions(versions)).toEqual(outdated)
})
