import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ParsedItems, type ParsedText, parseDocumentText } from './document-text.ts'

function read(text: string, known: ParsedItems = new Map()): ParsedText {
  const steps = parseDocumentText(text, known)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

function outcome(parse: () => unknown): unknown {
  try {
    return { value: parse() }
  } catch (error) {
    return { thrown: (error as Error).name }
  }
}

test.each([
  '{"version":2,"features":[{"name":"a"},{"name":"b"}],"segments":[{"id":1}],"query":{"features":[1]}}',
  '{ "features" : [ { "name" : "a\\"]}" , "x" : [ "}" ] } , { } ] , "version" : 2 }\n',
  '{"features":[]}',
  '{"features":[],"segments":null}',
  '{"features":{"name":"a"}}',
  '{"features":[1,"a",null]}',
  '{"features":[{}],"features":[{"name":"last"}]}',
  '{"features":[{"a":1}],"features":7}',
  '{"f\\u0065atures":[{"name":"a"}],"x":"\\\\"}',
  '{"x":"features","features":[{"a":"\\\\"}],"y":-1.5e3}',
  '{"__proto__":{"a":1},"features":[{"__proto__":{"b":2}}]}',
  '{}',
  '[]',
  '[{"features":[{}]}]',
  'null',
  '"features"',
  '{"features":[{}],}',
  '{"features":[{},]}',
  '{"features":[{} {}]}',
  '{"features":[,{}]}',
  '{"features":[{}',
  '{"features":[{}]',
  '{"features":[{"a":1]}]}',
  '{"features":[{"a"}]}',
  '{"features":[{}]} {}',
  '{"features":[{}]}}',
  '{"features" [{}]}',
  '{"features":[{}] "x":1}',
  '{"x":tru,"features":[{}]}',
  '{"x":"open,"features":[{}]}',
  '{"x":"\\',
  '{"features":[{"x":"\\',
  '',
  '{',
])('%s is read as JSON.parse reads it', (text) => {
  expect(outcome(() => read(text).value)).toEqual(outcome(() => JSON.parse(text)))
})

describe('whatever comes', () => {
  const documents = fc.record(
    {
      version: fc.jsonValue(),
      features: fc.oneof(fc.array(fc.dictionary(fc.string(), fc.jsonValue())), fc.jsonValue()),
      segments: fc.oneof(fc.array(fc.dictionary(fc.string(), fc.jsonValue())), fc.jsonValue()),
      query: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  const spaces = fc.constantFrom(undefined, 1, '\t')

  test('documents mean what JSON.parse makes of them, with and without what was read before', () => {
    fc.assert(
      fc.property(documents, documents, spaces, (one, other, space) => {
        const [first, second] = [JSON.stringify(one, null, space), JSON.stringify(other, null, space)]
        const { items } = read(first)
        expect(read(second, items).value).toEqual(JSON.parse(second))
        expect(read(first, items).value).toEqual(JSON.parse(first))
      }),
    )
  })

  test('damaged documents are refused exactly where JSON.parse refuses them', () => {
    fc.assert(
      fc.property(documents, fc.nat(), fc.constantFrom('', ',', '"', '{', ']', '\\', ' ', '1'), (document, at, put) => {
        const text = JSON.stringify(document)
        const cut = at % (text.length + 1)
        const damaged = text.slice(0, cut) + put + text.slice(cut + 1)
        expect(outcome(() => read(damaged).value)).toEqual(outcome(() => JSON.parse(damaged)))
      }),
      { numRuns: 1000 },
    )
  })
})

test('items that did not change are the same objects, and only those of the last document are remembered', () => {
  const before = read('{"features":[{"name":"a"},{"name":"b"}],"segments":[{"id":1}]}')
  const after = read('{"features":[{"name":"b"},{"name":"c"}],"segments":[{"id":1}]}', before.items)
  const [first, second] = [before.value, after.value] as { features: object[]; segments: object[] }[]
  expect(second?.features[0]).toBe(first?.features[1])
  expect(second?.segments[0]).toBe(first?.segments[0])
  expect([...after.items.keys()]).toEqual(['{"name":"b"}', '{"name":"c"}', '{"id":1}'])
})

test('pauses after every item', () => {
  const steps = parseDocumentText(`{"features":[${Array.from({ length: 10 }, () => '{}')}]}`, new Map())
  let pauses = 0
  while (steps.next().done !== true) pauses += 1
  expect(pauses).toBe(10)
})
