import { describe, expect, test } from 'vitest'
import { createTestApp, JSON_TYPE, KEY, long, sendRow, testRows } from '../../test-support/app.ts'

const broken = '{bad'
const post = { headers: { ...KEY, ...JSON_TYPE } }

describe('bodies', () => {
  const tooLong = JSON.stringify({ name: long })
  const deep = `{"name":"a","b":${'['.repeat(10_000)}${']'.repeat(10_000)}}`
  const quoted = JSON.stringify({ name: '[{'.repeat(300), b: '"[['.repeat(600) })
  testRows(createTestApp(), [
    { name: 'JSON', call: 'POST /things', ...post, body: '{"name":"a"}', status: 200, has: { name: 'a' } },
    { name: 'coerced', call: 'POST /things', ...post, body: '{"name":7}', status: 200, has: { name: '7' } },
    {
      name: 'type in other case with parameters',
      call: 'POST /things',
      headers: { ...KEY, 'content-type': 'APPLICATION/Json ; Charset="UTF-8"; x=1' },
      body: '{"name":"ü"}',
      status: 200,
      has: { name: 'ü' },
    },
    {
      name: 'without a type',
      call: 'POST /things',
      body: Buffer.from('{"name":"a"}'),
      status: 200,
      has: { name: 'a' },
    },
    { name: 'with a byte order mark', call: 'POST /things', ...post, body: '\ufeff{"name":"a"}', status: 200 },
    {
      name: 'null',
      call: 'POST /things',
      ...post,
      body: 'null',
      status: 400,
      has: { invalid: '/body must be object' },
    },
    { name: 'broken', call: 'POST /things', ...post, body: broken, status: 400, has: { refused: 'syntax' } },
    { name: 'only a mark', call: 'POST /things', ...post, body: '\ufeff', status: 400, has: { refused: 'syntax' } },
    {
      name: 'empty where one is needed',
      call: 'POST /things',
      ...post,
      body: '',
      status: 400,
      has: { invalid: '/body must be object' },
    },
    { name: 'none where one is needed', call: 'POST /things', status: 400 },
    { name: 'none where one may be', call: 'POST /maybe', status: 200, has: {} },
    { name: 'empty where one may be', call: 'POST /maybe', ...post, body: '', status: 200, has: {} },
    { name: 'none where the schema has a default', call: 'POST /fallback', status: 200, has: { a: 1 } },
    { name: 'null where one may be', call: 'POST /maybe', ...post, body: 'null', status: 400 },
    { name: 'too large', call: 'POST /things', ...post, body: tooLong, status: 413, has: { refused: 'too-large' } },
    {
      name: 'as large as it may be',
      call: 'POST /things',
      ...post,
      body: JSON.stringify({ name: 'x'.repeat(989) }),
      status: 200,
    },
    {
      name: 'one byte more',
      call: 'POST /things',
      ...post,
      body: JSON.stringify({ name: 'x'.repeat(990) }),
      status: 413,
    },
    { name: 'larger where the route allows it', call: 'POST /wide', ...post, body: tooLong, status: 200 },
    {
      name: 'nested 10,000 levels',
      call: 'POST /wide',
      ...post,
      body: deep.slice(0, 4900),
      status: 400,
      has: { refused: 'syntax', why: 'The body nests deeper than 500 levels' },
    },
    { name: 'brackets within text', call: 'POST /wide', ...post, body: quoted, status: 200 },
    {
      name: 'to an unknown path, broken',
      call: 'POST /no',
      ...post,
      body: broken,
      status: 400,
      has: { refused: 'syntax' },
    },
  ])

  test('a member called __proto__ is data', async () => {
    const app = createTestApp()
    const reply = await sendRow(app, {
      name: '',
      call: 'POST /things',
      ...post,
      body: '{"name":1,"__proto__":{"a":1}}',
      status: 200,
    })
    expect(reply.body).toBe('{"name":"1","__proto__":{"a":1}}')
  })
})
