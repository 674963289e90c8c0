import { describe, expect, test } from 'vitest'
import { buildContextTemplate, listUsedContextFields } from './used-context-fields.ts'

const strategy = {
  name: 'flexibleRollout',
  disabled: false,
  parameters: { rollout: '100', stickiness: 'default' },
  constraints: [],
  segments: [],
  variants: [],
}
const where = (...names: string[]) => names.map((contextName) => ({ contextName }))
const fields = (more: object, variants: { stickiness?: string }[] = []) =>
  listUsedContextFields({ environments: [{ strategies: [{ ...strategy, ...more }], variants }] }, [
    { id: 7, constraints: where('company') },
  ])

describe('the fields that code has to say', () => {
  test.each([
    ['everybody', {}, []],
    ['a percentage', { parameters: { rollout: '20', stickiness: 'default' } }, ['userId']],
    ['a percentage by another field', { parameters: { rollout: '20', stickiness: 'company' } }, ['company']],
    ['a percentage by chance', { parameters: { rollout: '20', stickiness: 'random' } }, []],
    [
      'rules, of segments too',
      { constraints: where('country', 'appVersion'), segments: [7] },
      ['appVersion', 'company', 'country'],
    ],
    ['what SDKs say themselves', { constraints: where('appName', 'environment', 'currentTime') }, []],
    ['a disabled strategy', { disabled: true, constraints: where('country') }, []],
    ['users by id', { name: 'userWithId', parameters: { userIds: '1' } }, ['userId']],
    ['variants of a strategy', { variants: [{ stickiness: 'sessionId' }] }, ['sessionId']],
  ])('%s', (_what, more, expected) => {
    expect(fields(more)).toEqual(expected)
  })

  test('variants of an environment', () => {
    expect(fields({}, [{ stickiness: 'default' }, { stickiness: 'random' }])).toEqual(['userId'])
  })
})

test('stand where a context has them', () => {
  expect(JSON.parse(buildContextTemplate(['country', 'userId']))).toEqual({ userId: '…', properties: { country: '…' } })
  expect(JSON.parse(buildContextTemplate(['remoteAddress']))).toEqual({ remoteAddress: '…' })
})
