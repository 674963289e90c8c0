import { expect, test } from 'vitest'
import type { ConstraintInput } from './constraint.ts'
import { listConstraintDifferences, listStrategyDifferences } from './reading-differences.ts'

/**
 * Operands that unleash-client 6.12.1 and yggdrasil-engine 2.0.0 (Python) evaluate differently in the same document.
 */
const CONSTRAINTS: readonly (readonly [
  operator: ConstraintInput['operator'],
  operand: object,
  kinds: readonly string[],
])[] = [
  ['IN', { values: ['a b'] }, []],
  ['IN', { values: [' a'] }, ['form']],
  ['STR_CONTAINS', { values: [''] }, ['malformed']],
  ['IN', { values: ['\ud83d'] }, ['illFormed']],
  ['NUM_EQ', { value: '1e3' }, []],
  ['NUM_EQ', { value: '5.50' }, []],
  ['NUM_EQ', { value: '-0' }, []],
  ['NUM_EQ', { value: '.5' }, ['form']],
  ['NUM_EQ', { value: '0x5' }, ['form']],
  ['NUM_EQ', { value: 'five' }, ['malformed']],
  ['SEMVER_EQ', { value: '1.2.3' }, []],
  ['SEMVER_EQ', { value: '1.2.3+build' }, []],
  ['SEMVER_EQ', { value: 'v1.2.3' }, ['malformed']],
  ['IN_CIDR', { values: ['10.0.0.1/8', '10.1.1.1', '2001:DB8::/32'] }, []],
  ['IN_CIDR', { values: ['fe80::1%eth0'] }, ['form']],
  ['DATE_AFTER', { contextName: 'currentTime', value: '2020-01-01T13:00:00+02:00' }, []],
  ['DATE_AFTER', { contextName: 'currentTime', value: '2020-01-01T13:00:00.123Z' }, []],
  ['DATE_AFTER', { contextName: 'currentTime', value: '2020-01-01T13:00:00.1Z' }, ['form']],
  ['DATE_AFTER', { contextName: 'currentTime', value: '2020-01-01T24:00:00Z' }, ['form']],
  ['DATE_AFTER', { contextName: 'currentTime', value: '2020-01-01' }, ['form']],
  ['DATE_AFTER', { contextName: 'currentTime', value: '2022-02-30' }, ['unknownDay']],
  ['DATE_AFTER', { contextName: 'signedUpAt', value: '2020-01-01T00:00:00Z' }, ['dateOnField']],
  ['STR_CONTAINS', { contextName: 'currentTime', values: ['20'] }, ['textOfTime']],
  ['NUM_GT', { contextName: 'currentTime', value: '5' }, ['textOfTime']],
  ...[
    'b',
    '^[^0-9]$',
    '^]$',
    '^}$',
    '^[]]$',
    '^[[:alpha:]]$',
    '^a{2}b{2,}c{2,3}$',
    '\\pL\\x41\\x{e9}\\-\\/',
    '(?P<x>a)(?<y>b)(?i)(?s)',
    '\\\\d',
  ].map((value) => ['REGEX', { value }, []] as const),
  ...['^\\d$', '^\\w+$', '^[\\s]$', '\\bé', '[^\\D]'].map((value) => ['REGEX', { value }, ['patternClasses']] as const),
  ...['a{', 'a{,2}', '^[[]$', '[a&&b]', '[a~~b]', '\\<', '\\>', '\\101', '^\\Qa\\E$'].map(
    (value) => ['REGEX', { value }, ['patternSyntax']] as const,
  ),
]

test.each(CONSTRAINTS)('SDKs read %s %j differently as to %j', (operator, operand, kinds) => {
  expect(listConstraintDifferences({ contextName: 'x', operator, ...operand }).map(({ kind }) => kind)).toEqual(kinds)
})

const variant = (stickiness: string | undefined, payload?: object) => ({ name: 'a', weight: 1, stickiness, payload })
const rollout = (parameters: object, ...variants: readonly object[]) => ({
  name: 'flexibleRollout',
  parameters: { rollout: '50', stickiness: 'userId', groupId: 'g', ...parameters },
  variants,
})

test.each([
  [rollout({}, variant('userId'), variant(undefined)), []],
  [rollout({}, variant('default')), ['variants/0/stickiness variantStickiness']],
  [rollout({ stickiness: 'default' }, variant('default')), []],
  [rollout({ groupId: 'größe' }), ['parameters/groupId groupId']],
  [rollout({ groupId: '\ud83d' }), ['parameters/groupId illFormed', 'parameters/groupId groupId']],
  [rollout({}, variant('userId', { type: 'json', value: '{' })), ['variants/0/payload/value payload']],
  [rollout({}, variant('userId', { type: 'number', value: '12a' })), ['variants/0/payload/value payload']],
  [{ name: 'userWithId', parameters: { userIds: 'a, b' } }, ['parameters/userIds form']],
  [{ name: 'userWithId', parameters: { userIds: 'a:b/c,d' } }, []],
  [{ name: 'remoteAddress', parameters: { IPs: '10.0.0.0/8,2001:db8::1' } }, []],
  [{ name: 'remoteAddress', parameters: { IPs: '2001:db8::/32' } }, ['parameters/IPs ipv6Range']],
  [
    { name: 'default', constraints: [{ contextName: 'x', operator: 'NUM_EQ', value: '.5' }] },
    ['constraints/0/value form'],
  ],
])('SDKs read the strategy %j differently at %j', (strategy, places) => {
  const found = listStrategyDifferences(strategy as Parameters<typeof listStrategyDifferences>[0])
  expect(found.map(({ kind, path }) => `${path} ${kind}`)).toEqual(places)
})
