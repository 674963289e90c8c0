import { describe, expect, test } from 'vitest'
import { parseJson, parseLargeJson } from './json-body.ts'

const FILLING = JSON.stringify(Array.from({ length: 60_000 }, (_, index) => ({ name: `flag-${index}`, on: index % 2 })))
const BEFORE = `{"filling":${FILLING},`

async function outcomeOf(read: () => unknown): Promise<unknown> {
  try {
    return await read()
  } catch (error) {
    return String(error)
  }
}

describe('a body above one megabyte', () => {
  test.each([
    ['an object', `${BEFORE}"a":{"b":[1,{}]},"empty":[],"text":"größe 😀"}`],
    ['a repeated list, of which the last one counts', `{"filling":[1,2],${BEFORE.slice(1)}"a":[1],"a":[2]}`],
    ['a repeated property of another type', `${BEFORE}"filling":1,"__proto__":{"x":1}}`],
    ['a byte order mark', `\ufeff${BEFORE}"a":1}`],
    ['a list', FILLING],
    ['a missing bracket', `${BEFORE}"a":[1`],
    ['a comma too many', `${BEFORE}"a":[1,]}`],
    ['text after the object', `${BEFORE}"a":1} x`],
    ['an escape that is none', `${BEFORE}"a":"\\x"}`],
    ['501 levels', `${BEFORE}"a":${'['.repeat(501)}${']'.repeat(501)}}`],
  ])('reads like a short one: %s', async (_name, text) => {
    const body = Buffer.from(text)
    expect(body.length).toBeGreaterThan(1_048_576)
    expect(await outcomeOf(() => parseLargeJson(body))).toEqual(await outcomeOf(() => parseJson(body)))
  })

  test('lets other work run while it is parsed', async () => {
    let turns = 0
    let isParsed = false
    const count = () => {
      turns += 1
      if (!isParsed) setImmediate(count)
    }
    setImmediate(count)
    await parseLargeJson(Buffer.from(`${BEFORE}"a":1}`))
    isParsed = true
    expect(turns).toBeGreaterThan(3)
  })
})

test('a short body is parsed at once', () => {
  expect(parseLargeJson(Buffer.from('{"a":1}'))).toEqual({ a: 1 })
})
