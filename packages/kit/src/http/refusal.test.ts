import { expect, test } from 'vitest'
import { Refusal } from './refusal.ts'

test.each([
  ['not-found', 404],
  ['media-type', 415],
  ['too-large', 413],
  ['syntax', 400],
  ['encoding', 415],
  ['bad-request', 400],
] as const)('%s is %i', (reason, status) => {
  expect(new Refusal(reason, 'why')).toMatchObject({ name: 'Refusal', reason, status, message: 'why' })
})
