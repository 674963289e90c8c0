import { compareSemver, parseSemver } from '@burgee/engine/rules/semver'
import { OFFICIAL_SDKS } from '@burgee/protocol/sdk/sdk-abilities'
import { expect, test } from 'vitest'
import { findUnsupportedFeatures } from './sdk-abilities.ts'

/** Flag features that each of these SDK versions did not support in a run with a test document. */
const RUN: readonly (readonly [sdkVersion: string, lacks: readonly string[]])[] = [
  [
    'unleash-client-node:3.11.1',
    [
      'operators on',
      'numbers on',
      'inverted ignored',
      'regex on',
      'networks on',
      'strategyVariants ignored',
      'parents ignored',
    ],
  ],
  ['unleash-client-node:3.12.0', ['regex off', 'networks off', 'strategyVariants ignored', 'parents ignored']],
  ['unleash-client-node:4.0.1', ['regex off', 'networks off', 'strategyVariants ignored', 'parents ignored']],
  ['unleash-client-node:4.1.0-beta.0', ['regex off', 'networks off', 'parents ignored']],
  ['unleash-client-node:4.2.1', ['regex off', 'networks off']],
  ['unleash-client-node:5.6.1', ['regex off', 'networks off', 'ipv6Ranges off']],
  ['unleash-node-sdk:6.9.6', ['regex off', 'networks off', 'ipv6Ranges off']],
  ['unleash-node-sdk:6.10.1', ['networks off', 'ipv6Ranges off']],
  ['unleash-node-sdk:6.12.1', ['ipv6Ranges off']],
  [
    'unleash-client-java:4.4.1',
    [
      'operators on',
      'numbers on',
      'inverted ignored',
      'regex on',
      'networks on',
      'strategyVariants ignored',
      'parents ignored',
    ],
  ],
  ['unleash-client-java:5.1.0', ['regex throws', 'networks throws', 'strategyVariants ignored', 'parents ignored']],
  ['unleash-client-java:8.2.0', ['regex off', 'networks off', 'strategyVariants ignored', 'parents ignored']],
  ['unleash-client-java:8.3.1', ['regex off', 'networks off', 'parents ignored']],
  ['unleash-client-java:9.3.2', ['regex off', 'networks off']],
  ['unleash-client-java:10.1.0', ['dates off', 'regex off', 'networks off']],
  ['unleash-java-sdk:10.2.4', ['regex off', 'networks off']],
  ['unleash-java-sdk:12.2.3', ['networks off']],
  [
    'unleash-client-python:5.0.1',
    [
      'operators off',
      'numbers off',
      'inverted ignored',
      'regex off',
      'networks off',
      'strategyVariants ignored',
      'parents ignored',
    ],
  ],
  [
    'unleash-client-python:5.2.0',
    ['numbers off', 'regex on', 'networks on', 'strategyVariants ignored', 'parents ignored'],
  ],
  ['unleash-client-python:5.11.0', ['dates off', 'regex off', 'networks off']],
  ['unleash-client-python:6.3.0', ['regex off', 'networks off']],
  ['unleash-python-sdk:6.6.0', ['networks off']],
  ['unleash-python-sdk:6.9.1', []],
  ['unleash-client-go:4.5.0', ['regex off', 'networks off', 'parentVariants ignored']],
  ['unleash-go-sdk:6.0.0', []],
  ['somebody-elses:1.0.0', []],
  ['constructor:1.0.0', []],
  ['unleash-client-node', []],
]

test.each(RUN)('%s does not know %j', (sdkVersion, lacks) => {
  expect(findUnsupportedFeatures(sdkVersion).map(({ ability, outcome }) => `${ability} ${outcome}`)).toEqual(lacks)
})

test('names the first version that knows a part, and none where no version does', () => {
  const known = Object.fromEntries(
    findUnsupportedFeatures('unleash-client-java:5.1.0').map(({ ability, knownFrom }) => [ability, knownFrom]),
  )
  expect(known).toEqual({ regex: '12.2.0', networks: null, strategyVariants: '8.2.1', parents: '8.4.0' })
})

test('every table of versions begins at 0.0.0 and ascends', () => {
  const wrong = OFFICIAL_SDKS.flatMap(({ title, abilities }) =>
    Object.entries(abilities)
      .filter(([, spans]) => {
        const versions = spans.map(([from]) => parseSemver(from))
        const isAscending = versions.every((version, index) => {
          const before = versions[index - 1]
          return version !== undefined && (before === undefined || compareSemver(before, version) < 0)
        })
        return spans[0]?.[0] !== '0.0.0' || !isAscending
      })
      .map(([ability]) => `${title} ${ability}`),
  )
  expect(wrong).toEqual([])
})
