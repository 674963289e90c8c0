import { expect, test } from 'vitest'
import { listPayloadNotes } from './payload-notes.ts'
import { createFlag, createState, createStrategy } from './source-defaults.ts'

const variant = (name: string, type: string, value: string) => ({ name, weight: 1, payload: { type, value } })

test('names each flag with a payload that does not match its type, in the flag or its strategies', () => {
  const strategies = [createStrategy({ name: 'default', variants: [variant('of strategy', 'number', '12a')] })]
  const variants = [
    variant('of flag', 'json', '{no'),
    variant('good', 'json', '{}'),
    variant('number', 'number', '7'),
    variant('text', 'string', '{no'),
  ]
  const states = [
    createState({ environment: 'production', enabled: true, variants, strategies }),
    createState({ environment: 'development', enabled: true }),
  ]
  expect(listPayloadNotes({ flags: [createFlag({ name: 'f', project: 'default', states })] })).toEqual([
    {
      kind: 'flag',
      name: 'f in production',
      fidelity: 'exact',
      words: expect.stringContaining('the payload of "of flag", "of strategy" does not match its type'),
    },
  ])
})
