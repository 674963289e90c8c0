import { expect, test } from 'vitest'
import { startServer, TOKENS } from '../scenario.ts'

/** The server's frontend API on the socket, and without that. */
test.each([
  ['by default', 0, {}],
  ['switched off', 10, { httpFastLane: false }],
])('%s, of ten plain requests the HTTP server answers %i', async (_name, expected, options) => {
  const { server, close } = await startServer({ ...options, port: 0, host: '127.0.0.1' })
  const { port } = await server.listen()
  const replies: unknown[] = []
  let seen = 0
  server.app.server.on('request', () => {
    seen += 1
  })
  for (let time = 0; time < 10; time += 1) {
    const reply = await fetch(`http://127.0.0.1:${port}/api/frontend?userId=7`, {
      headers: { authorization: TOKENS.frontend },
    })
    replies.push([reply.status, await reply.text()])
  }
  await close()
  expect(replies).toEqual(Array(10).fill([200, '{"toggles":[]}']))
  expect(seen).toBe(expected)
})
