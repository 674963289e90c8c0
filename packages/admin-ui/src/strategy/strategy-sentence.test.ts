import { BUILT_IN_STRATEGIES } from '@burgee/protocol/targeting/built-in-strategy'
import { expect, test } from 'vitest'
import { describeAudience, describeStrategy } from './strategy-sentence.ts'
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

test.each([
  ['gradualRolloutUserId', '30% of users, by userId', '30\u00a0% der Benutzer, nach userId'],
  ['gradualRolloutSessionId', '30% of users, by sessionId', '30\u00a0% der Benutzer, nach sessionId'],
  ['gradualRolloutRandom', '30% of users, at random', '30\u00a0% der Benutzer, zufällig'],
])('the sentence of %s has its percentage', (name, english, german) => {
  const strategy = { name, parameters: { percentage: '30' } }
  expect(describeAudience(STRATEGY_TEXTS.en, strategy)).toBe(english)
  expect(describeAudience(STRATEGY_TEXTS.de, strategy)).toBe(german)
})

test('no sentence contains the name of a built-in strategy', () => {
  const parameters = { percentage: '30', rollout: '30', userIds: 'a', IPs: '10.0.0.1', hostNames: 'h' }
  const sentences = BUILT_IN_STRATEGIES.flatMap(({ name }) =>
    (['en', 'de'] as const).map((language) => [name, describeAudience(STRATEGY_TEXTS[language], { name, parameters })]),
  )
  expect(sentences).toHaveLength(2 * BUILT_IN_STRATEGIES.length)
  expect(sentences.filter(([name = '', text = '']) => text.includes(name))).toEqual([])
})
