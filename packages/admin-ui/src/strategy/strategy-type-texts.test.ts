import { expect, test } from 'vitest'
import { getStrategyTypeName, STRATEGY_NAMES } from './strategy-type-texts.ts'

test.each([
  [{ name: 'default', title: 'Standard' }, 'All users', 'Alle Benutzer'],
  [{ name: 'byTenant', title: 'By tenant' }, 'By tenant', 'By tenant'],
  [{ name: 'byTenant', title: null }, 'byTenant', 'byTenant'],
  [{ name: 'constructor', title: '' }, 'constructor', 'constructor'],
])('%j is called %s, in German %s', (type, english, german) => {
  expect(getStrategyTypeName(STRATEGY_NAMES.en, type)).toBe(english)
  expect(getStrategyTypeName(STRATEGY_NAMES.de, type)).toBe(german)
})
