import { expect, test } from 'vitest'
import { flagWith, stateWith, strategyWith } from './held-defaults.ts'
import { payloadNotes } from './payload-notes.ts'

const variant = (name: string, type: string, value: string) => ({ name, weight: 1, payload: { type, value } })

test('names each flag with a payload that is not what its type says, of flag and strategies', () => {
  const strategies = [strategyWith({ name: 'default', variants: [variant('of strategy', 'number', '12a')] })]
  const variants = [
    variant('of flag', 'json', '{no'),
    variant('good', 'json', '{}'),
    variant('number', 'number', '7'),
    variant('text', 'string', '{no'),
  ]
  const states = [
    stateWith({ environment: 'production', enabled: true, variants, strategies }),
    stateWith({ environment: 'development', enabled: true }),
  ]
  expect(payloadNotes({ flags: [flagWith({ name: 'f', project: 'default', states })] })).toEqual([
    {
      kind: 'flag',
      name: 'f in production',
      fidelity: 'exact',
      words: expect.stringContaining('the payload of "of flag", "of strategy" is not what its type says'),
    },
  ])
})
