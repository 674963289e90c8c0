import { expect, test } from 'vitest'
import { isObject } from '../input/is-object.ts'
import { NotJson, readJsonPieces } from './json-pieces.ts'

/** Reads a text in parts of `size` bytes, regardless of how many bytes are requested. */
function piecesOf(text: string | Buffer, size: number) {
  const bytes = Buffer.from(text as string)
  let at = 0
  const read = (): Buffer => {
    const part = bytes.subarray(at, at + size)
    at += part.length
    return part
  }
  return [...readJsonPieces(read)]
}

/** Joins the pieces as `JSON.parse` would. */
function join(text: string | Buffer, size: number): unknown {
  const object: Record<string, unknown> = {}
  for (const { key, isItem, value } of piecesOf(text, size)) {
    if (isItem) object[key] = [...((object[key] as unknown[] | undefined) ?? []), value]
    else object[key] = value
  }
  return object
}

function isJsonObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text))
  } catch {
    return false
  }
}

const SIZES = [1, 2, 3, 7, 64, 1_000_000]

test.each([
  '{}',
  ' { } \n',
  '{"a":[]}',
  '{"a":[ ],"b":{}}',
  '{"a":1,"b":[1,-2.5e3,true,null,"x"],"c":{"d":[{"e":[[]]}]}}',
  '{ "list" : [ {"name":"a"} ,\n\t{"name":"b, ] } [ {"} ] , "last" : "" }',
  String.raw`{"quote \" and \\":["\"","\\","a\\\"]","\u007b\ud83d\ude00"]}`,
  '{"größe":["ä","用户","😀"]}',
])('%s is the same in parts of any size', (text) => {
  for (const size of SIZES) expect([size, join(text, size)]).toEqual([size, JSON.parse(text)])
})

test('a byte order mark is skipped', () => {
  for (const size of SIZES) expect(join('\ufeff{"a":[1]}', size)).toEqual({ a: [1] })
})

test.each([
  '',
  '[]',
  '1',
  '{',
  '{"a"',
  '{"a":',
  '{"a":1',
  '{"a":1,}',
  '{,}',
  '{"a":[1,]}',
  '{"a":[,1]}',
  '{"a":[1 2]}',
  '{"a":[1',
  '{"a":[{]}',
  '{"a":[1}]',
  '{"a":1}}',
  '{"a":1} x',
  '{a:1}',
  '{1:1}',
  '{"a" 1}',
  '{"a":1 "b":2}',
  '{"a":"x}',
  '{"a":"\\',
  '{"a":tru}',
  '{"a":{"b":1]}',
])('%s is no JSON object, as for JSON.parse', (text) => {
  expect(isJsonObject(text)).toBe(false)
  for (const size of SIZES) expect(() => piecesOf(text, size)).toThrow(NotJson)
})

test('an error names the position', () => {
  expect(() => piecesOf(`{"a":[${'1,'.repeat(100)}x]}`, 16)).toThrow(/^position 206: /)
})

test('random documents are the same in parts', () => {
  let state = 7
  const random = (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const texts = ['', 'a', '"', '\\', '{', ']', ',', ':', '\n', 'ü', '😀', '\\"]']
  const value = (depth: number): unknown => {
    const kind = random(depth > 3 ? 4 : 6)
    if (kind === 0) return random(1000) / 8
    if (kind === 1) return [null, true, false][random(3)]
    if (kind < 4) return Array.from({ length: random(4) }, () => texts[random(texts.length)]).join('')
    if (kind === 4) return Array.from({ length: random(4) }, () => value(depth + 1))
    return Object.fromEntries(Array.from({ length: random(4) }, (_, index) => [`k${index}"`, value(depth + 1)]))
  }
  for (let round = 0; round < 300; round += 1) {
    const document = Object.fromEntries(Array.from({ length: random(5) }, (_, index) => [`p${index}`, value(0)]))
    const text = JSON.stringify(document, null, random(3))
    expect(join(text, 1 + random(20))).toEqual(document)
  }
})
