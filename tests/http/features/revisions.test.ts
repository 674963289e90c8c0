import { expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

/** Clients can read their own writes: a change returns its revision, and a read with this revision waits for it. */
const P = '/api/admin/projects/default/features'
const HEADER = 'x-burgee-revision'

async function withServer(work: (server: TestServer) => Promise<void>): Promise<void> {
  const server = await startServer()
  try {
    await work(server)
  } finally {
    await server.close()
  }
}

test('every response to a change has the new revision, and reads have none', () =>
  withServer(async (server) => {
    const revisions: number[] = []
    for (const [call, body] of [
      [`POST ${P}`, { name: 'one' }],
      [`POST ${P}/one/environments/development/on`],
      [`PUT ${P}/one`, { description: 'x' }],
      [`DELETE ${P}/one`],
    ] as const) {
      const reply = await server.call({ as: 'admin', call, body })
      const [id, epoch] = String(reply.headers[HEADER]).split(':')
      expect([call, Number(id)]).toEqual([call, await server.lastEventId()])
      expect(epoch).toMatch(/^[0-9a-f]{16}$/)
      revisions.push(Number(id))
    }
    expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b))
    // a change without effect returns the current revision
    const again = await server.call({ as: 'admin', call: `DELETE ${P}/one` })
    expect(Number(String(again.headers[HEADER]).split(':')[0])).toBe(revisions.at(-1))
    const read = await server.call({ as: 'admin', call: `GET ${P}` })
    expect(read.headers[HEADER]).toBeUndefined()
    const refused = await server.call({ as: 'admin', call: `POST ${P}`, body: { name: 'one' } })
    expect([refused.statusCode, refused.headers[HEADER]]).toEqual([409, undefined])
    const client = await server.call({ as: 'client', call: 'GET /api/client/features', headers: { [HEADER]: '?' } })
    expect(client.statusCode).toBe(200)
  }))

test.each([
  ['of now', (id: number, epoch: string) => `${id}:${epoch}`, 200],
  ['of before', (id: number, epoch: string) => `${id - 1}:${epoch}`, 200],
  ['that never was', (id: number, epoch: string) => `${id + 1000}:${epoch}`, 200],
  ['of another life', (id: number) => `${id}:0123456789abcdef`, 200],
  ['that is none', () => 'latest', 400],
  ['without a life', (id: number) => `${id}`, 400],
] as const)('a read with a revision %s', (_name, write, status) =>
  withServer(async (server) => {
    const made = await server.call({ as: 'admin', call: `POST ${P}`, body: { name: 'one' } })
    const [id, epoch = ''] = String(made.headers[HEADER]).split(':')
    const headers = { [HEADER]: write(Number(id), epoch) }
    const reply = await server.call({ as: 'admin', call: `GET ${P}/one`, headers })
    expect(reply.statusCode).toBe(status)
    if (status === 400) expect(reply.json().message).toContain(HEADER)
  }),
)
