import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { ListenError, requireFreePort, toListenError } from './listening.ts'

const AT = { port: 80, host: '10.0.0.1', portNames: 'PORT, --port', hostNames: 'HTTP_HOST, --host' }

describe('a failed listen', () => {
  test.each([
    ['EADDRINUSE', /^Port 80 \(PORT, --port\) is in use \(EADDRINUSE\) .*lsof -i :80/],
    ['EACCES', /^Port 80 \(PORT, --port\) is not permitted for this user \(EACCES\): .*1024/],
    ['EADDRNOTAVAIL', /10\.0\.0\.1 \(HTTP_HOST, --host\): it is not an address of this machine/],
    ['ENOTFOUND', /10\.0\.0\.1 \(HTTP_HOST, --host\): the name has no address/],
  ])('%s is reported in one sentence that names the options, and keeps its code', (code, says) => {
    const explained = toListenError(Object.assign(new Error('raw'), { code }), AT)
    expect(explained).toBeInstanceOf(ListenError)
    expect(explained).toMatchObject({ code, message: expect.stringMatching(says) })
    expect((explained as Error).message).not.toContain('\n')
  })

  test.each([[new Error('else')], ['a text'], [undefined]])('anything else stays as it is: %s', (error) => {
    expect(toListenError(error, AT)).toBe(error)
  })
})

test('a port check releases the port: free, taken, free again', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const at = { ...AT, port, host: '127.0.0.1' }
  await expect(requireFreePort(at)).rejects.toMatchObject({ code: 'EADDRINUSE' })
  await new Promise<void>((resolve) => server.close(() => resolve()))
  for (let round = 0; round < 3; round++) await requireFreePort(at)
  await requireFreePort({ ...at, port: 0, host: undefined })
})
