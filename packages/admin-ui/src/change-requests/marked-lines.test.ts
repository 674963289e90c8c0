import { expect, test } from 'vitest'
import { type LinePart, markDifferences } from './marked-lines.ts'

const show = (parts: readonly LinePart[]) =>
  parts.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('')

test.each([
  [
    '25% of users in segment Staff',
    '50% of users in segment Staff',
    '[25]% of users in segment Staff',
    '[50]% of users in segment Staff',
  ],
  ['Off', 'On', '[Off]', '[On]'],
  ['country is DE', 'country is DE or AT', 'country is DE', 'country is DE[ or AT]'],
  ['On', 'On', 'On', 'On'],
])('%s → %s marks only the words that differ', (before, after, was, is) => {
  const marked = markDifferences(before, after)
  expect([show(marked.before), show(marked.after)]).toEqual([was, is])
})
