import { afterAll, beforeAll, expect, test } from 'vitest'
import { queryCounter } from '../../support/queries.ts'
import { startServer, type TestServer } from '../scenario.ts'

const counter = queryCounter()
let server: TestServer
beforeAll(async () => {
  server = await startServer({}, Date.now, { onQuery: counter.onQuery })
})
afterAll(() => server.close())

const invent = (digit: string) => `default:development!${digit.repeat(24)}.${'0'.repeat(56)}`
const validate = (tokens: readonly string[]) => server.call({ call: 'POST /edge/validate', body: { tokens } })

test('an unknown token of a run costs one query, and none when it is sent again', async () => {
  const tokens = ['0', '1', '2', '3'].map(invent)
  expect(await counter.count(() => validate(tokens))).toBe(tokens.length)
  expect(await counter.count(() => validate(tokens))).toBe(0)
  const download = () => server.call({ as: invent('0'), call: 'GET /api/client/features' })
  expect(await counter.count(download)).toBe(0)
  expect((await download()).statusCode).toBe(401)
})

test('a wrong secret of a run that exists costs no query', async () => {
  const { id } = await server.admin('POST /api/admin/projects/default/test-runs', { environment: 'development' })
  const wrong = `default:development!${id}.${'0'.repeat(56)}`
  expect((await validate([wrong])).json()).toEqual({ tokens: [] })
  expect(await counter.count(() => validate([wrong]))).toBe(0)
})

test('unknown tokens of runs count as guesses of the caller', async () => {
  const tokens = Array.from({ length: 300 }, (_, at) => `default:development!${at.toString(16).padStart(24, '0')}.0`)
  let status = 200
  for (let at = 0; at < tokens.length && status === 200; at += 20) {
    status = (await validate(tokens.slice(at, at + 20))).statusCode
  }
  expect(status).toBe(429)
})
