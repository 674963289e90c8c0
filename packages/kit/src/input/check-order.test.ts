import { describe, expect, test } from 'vitest'
import { createTestApp, JSON_TYPE, KEY, long, type Row, sendRow } from '../../test-support/app.ts'

const broken = '{bad'
/** Sends the same requests in both orders: the order decides which of several errors is reported. */
describe('order of checks', () => {
  const anonymous = {}
  const xml = { 'content-type': 'text/xml' }
  const malformed = { 'content-type': 'garbage' }
  const latin = { 'content-type': 'application/json; charset=latin1' }
  test.each<[string, Omit<Row, 'name' | 'status'>, validateFirst: number, authorizeFirst: number]>([
    ['good', { call: 'POST /things', headers: { ...KEY, ...JSON_TYPE }, body: '{"name":"a"}' }, 200, 200],
    ['anonymous', { call: 'POST /things', headers: JSON_TYPE, body: '{"name":"a"}' }, 401, 401],
    ['anonymous, bad schema', { call: 'POST /things', headers: JSON_TYPE, body: '{}' }, 400, 401],
    ['anonymous, bad query', { call: 'GET /things/1?limit=x', headers: anonymous }, 400, 401],
    ['anonymous, broken JSON', { call: 'POST /things', headers: JSON_TYPE, body: broken }, 400, 400],
    ['anonymous, too large', { call: 'POST /things', headers: JSON_TYPE, body: `"${long}"` }, 413, 413],
    ['anonymous, charset', { call: 'POST /things', headers: latin, body: '{}' }, 415, 415],
    ['anonymous, other type', { call: 'POST /things', headers: xml, body: '<a/>' }, 415, 401],
    ['anonymous, malformed type', { call: 'POST /things', headers: malformed, body: '{}' }, 415, 401],
    ['anonymous, no body', { call: 'POST /things', headers: anonymous }, 400, 401],
    ['known caller, other type', { call: 'POST /things', headers: { ...KEY, ...xml }, body: '<a/>' }, 415, 415],
    ['known caller, malformed type', { call: 'POST /things', headers: { ...KEY, ...malformed }, body: '{}' }, 415, 415],
    [
      'known caller, vendor type',
      { call: 'POST /things', headers: { ...KEY, 'content-type': 'application/vnd.api+json' }, body: '{}' },
      400,
      400,
    ],
    ['known caller, no type', { call: 'POST /things', headers: KEY, body: Buffer.from('{"name":"a"}') }, 200, 415],
    ['known caller, no body', { call: 'POST /things', headers: KEY }, 400, 415],
    ['known caller, type without body', { call: 'POST /things', headers: { ...KEY, ...JSON_TYPE } }, 400, 400],
    [
      'known caller, type without an optional body',
      { call: 'POST /maybe', headers: { ...KEY, ...JSON_TYPE } },
      200,
      200,
    ],
    ['known caller, no optional body', { call: 'POST /maybe', headers: KEY }, 200, 200],
    [
      'other type where no body is read',
      { call: 'DELETE /things/1', headers: { ...KEY, ...xml }, body: '<a/>' },
      415,
      204,
    ],
    [
      'malformed type where no body is read',
      { call: 'DELETE /things/1', headers: { ...KEY, ...malformed }, body: 'x' },
      415,
      204,
    ],
    [
      'other type with an unused body',
      { call: 'GET /anything', headers: { ...KEY, ...xml, 'content-length': '4' }, body: '<a/>' },
      415,
      200,
    ],
    ['other type without a body', { call: 'GET /anything', headers: { ...KEY, ...xml } }, 200, 200],
    [
      'other type of an empty body',
      { call: 'POST /things', headers: { ...KEY, ...xml, 'content-length': '0' } },
      415,
      415,
    ],
    ['other type to an unknown path', { call: 'POST /no', headers: xml, body: '<a/>' }, 415, 404],
    ['malformed type to an unknown path', { call: 'POST /no', headers: malformed, body: '<a/>' }, 415, 404],
  ])('%s', async (_name, row, validateFirst, authorizeFirst) => {
    const statuses = []
    for (const order of ['validate-first', 'authorize-first'] as const) {
      statuses.push((await sendRow(createTestApp({ order }), { name: '', status: 0, ...row })).statusCode)
    }
    expect(statuses).toEqual([validateFirst, authorizeFirst])
  })

  test('rights are checked with the path parameters', async () => {
    const reply = await createTestApp({ order: 'authorize-first' }).inject({ url: '/things/p1?limit=x' })
    expect(reply.json()).toEqual({ denied: { id: 'p1' } })
  })
})
