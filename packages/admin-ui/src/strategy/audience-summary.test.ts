import { expect, test } from 'vitest'
import { type AudienceStrategy, getAudience, summarizeAudience } from './audience-summary.ts'
import { AUDIENCE_TEXTS } from './audience-texts.ts'

const NAMES = new Map([
  [1, 'Staff'],
  [2, 'DACH'],
])
const by = (contextName: string) => ({ contextName, operator: 'IN', values: ['a'] })
const rollout = (percent: number, more: Partial<AudienceStrategy> = {}): AudienceStrategy => ({
  name: 'flexibleRollout',
  parameters: { rollout: String(percent) },
  constraints: [],
  segments: [],
  disabled: false,
  ...more,
})

test.each<[string, AudienceStrategy[]]>([
  ['All users', []],
  ['All users', [rollout(100)]],
  ['All users', [rollout(25), rollout(100)]],
  ['All users', [{ ...rollout(100), name: 'default', parameters: {} }]],
  ['25%', [rollout(25)]],
  ['0%', [rollout(0)]],
  ['0%', [{ ...rollout(0), parameters: {} }]],
  ['By email', [{ ...rollout(100), parameters: { rollout: '100', stickiness: 'email' } }]],
  ['Staff', [rollout(100, { segments: [1] })]],
  ['25% of DACH', [rollout(25, { segments: [2] })]],
  ['25% of DACH +2', [rollout(25, { segments: [2, 1], constraints: [by('country')] })]],
  ['By country', [rollout(100, { constraints: [by('country')] })]],
  ['25% by country +1', [rollout(25, { constraints: [by('country'), by('plan'), by('plan')] })]],
  ['Listed users', [{ ...rollout(0), name: 'userWithId', parameters: { userIds: '1,2' } }]],
  ['myOwn', [{ ...rollout(0), name: 'myOwn', parameters: {} }]],
  ['2 rules', [rollout(25), rollout(100, { segments: [1] })]],
  ['25%', [rollout(25), rollout(100, { disabled: true })]],
  ['No users', [rollout(100, { disabled: true })]],
])('says “%s” of strategies', (text, strategies) => {
  const audience = getAudience(strategies, (id) => NAMES.get(id) ?? '')
  expect(summarizeAudience(AUDIENCE_TEXTS.en, audience)).toBe(text)
})
