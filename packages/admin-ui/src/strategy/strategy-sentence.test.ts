import { expect, test } from 'vitest'
import { describeStrategy } from './strategy-sentence.ts'
import { STRATEGY_TEXTS } from './texts.ts'

const STRATEGY = {
  name: 'flexibleRollout',
  parameters: { rollout: '25', stickiness: 'default', groupId: 'flag' },
  constraints: [{ contextName: 'country', operator: 'IN' as const, values: ['DE'] }],
  segments: [7],
  variants: [{ name: 'a', weight: 875, weightType: 'variable' as const, stickiness: 'default' }],
}

// A number and its sign stay on one line.
test.each([
  ['en', '25% of users where country is DE and segment is beta, getting a (87.5%)'],
  ['de', '25\u00a0% der Benutzer, bei denen gilt: country ist DE und Segment ist beta, mit Variante a (87,5\u00a0%)'],
] as const)('a strategy is one sentence: %s', (language, sentence) => {
  expect(describeStrategy(STRATEGY_TEXTS[language], STRATEGY, () => 'beta')).toBe(sentence)
})
