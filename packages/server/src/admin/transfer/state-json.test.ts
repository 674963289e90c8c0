import { expect, test } from 'vitest'
import { stateJsonSteps } from './state-json.ts'

test.each([0, 1, 100, 101, 1000])('writes %i rows as JSON does, in steps of a hundred', (count) => {
  const features = Array.from({ length: count }, (_, index) => ({ name: `f${index}`, description: '"ä' }))
  const document = { version: 4, features, tags: [] }
  const steps = stateJsonSteps(document)
  let turns = 0
  let next = steps.next()
  while (!next.done) {
    turns += 1
    next = steps.next()
  }
  expect(next.value).toBe(JSON.stringify(document))
  expect(turns).toBe(Math.ceil(count / 100))
})
