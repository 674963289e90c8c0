import { PROXY_OPTIONS } from '@burgee/proxy/options'
import { SERVER_OPTIONS } from '@burgee/server/core/options/options'
import { expect, test } from 'vitest'
import { getOptionGroup, OPTION_GROUPS } from '../../bin/src/option-groups.ts'

const NAMES = [...new Set([...Object.keys(PROXY_OPTIONS), ...Object.keys(SERVER_OPTIONS)])]

test('hardly an option stands under no heading of its own', () => {
  const other = NAMES.filter((name) => getOptionGroup(name) === OPTION_GROUPS.at(-1))
  expect(other.sort()).toEqual(
    ['checkVersion', 'logger', 'sendTelemetry'].filter((name) => other.includes(name)).sort(),
  )
})

test.each([
  ['port', 'Listening'],
  ['databaseUrl', 'Database'],
  ['flagUrl', 'Upstream'],
  ['clientKeys', 'Callers'],
  ['eventRetentionDays', 'Retention'],
  ['clientMetricsRateLimitPerMinute', 'Rate limits'],
  ['logLevel', 'Log'],
])('%s stands under %s', (name, heading) => {
  expect(getOptionGroup(name)).toBe(heading)
})
