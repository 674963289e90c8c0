import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp } from '../../test-support/app.ts'
import { dial, listen } from '../../test-support/socket.ts'
import { isValidHost } from './host.ts'
import { type Route, routesFor } from './route.ts'

test.each<[string, boolean]>([
  ['flags.example', true],
  ['flags.example:4242', true],
  ['flags_internal', true],
  ['127.0.0.1:80', true],
  ['[::1]:80', true],
  ['[fe80::1%25eth0]', true],
  ['flags.example:', true],
  ['', true],
  ['a b', false],
  ['a/b', false],
  ['a@b', false],
  ['a:b', false],
  ['a:123456', false],
  ['::1', false],
  ['a, b', false],
  ['a?b', false],
  ['<script>', false],
])('the host %j: %s', (host, isValid) => {
  expect(isValidHost(host)).toBe(isValid)
})

const hot = routesFor<string>()({
  method: 'GET',
  url: '/hot',
  isHot: true,
  summary: 'S.',
  tag: 't',
  permission: null,
  problems: [],
  replies: { 200: { description: 'OK' } },
  handle: ({ caller }) => caller.id,
})

describe.each([true, false])('with the fast lane: %s', (fastLane) => {
  const app = createTestApp({ routes: [hot as Route<string>], fastLane })
  let port: number
  beforeAll(async () => {
    port = await listen(app)
  })
  afterAll(() => app.close())

  test.each([
    ['one host', 'HTTP/1.1', 'Host: h\r\n', 200],
    ['none with HTTP/1.0', 'HTTP/1.0', '', 200],
    ['none', 'HTTP/1.1', '', 400],
    ['two', 'HTTP/1.1', 'Host: h\r\nHost: other\r\n', 400],
    ['the same twice', 'HTTP/1.1', 'Host: h\r\nhost: h\r\n', 400],
    ['two with HTTP/1.0', 'HTTP/1.0', 'Host: h\r\nHost: h\r\n', 400],
    ['one that names none', 'HTTP/1.1', 'Host: http://h/\r\n', 400],
  ])('%s, %s %j → %i', async (_name, version, hosts, status) => {
    const wire = await dial(port, `GET /hot ${version}\r\n${hosts}Authorization: k\r\nConnection: close\r\n\r\n`)
    expect(await wire.ended).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  })
})
