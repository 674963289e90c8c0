import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { runBurgee, temporaryFolder } from '../support/burgee.ts'
import { freshDatabase } from '../support/postgres.ts'

/**
 * Tests the promise that the proxy serves a change at once: the first request after the reply to a change returns the
 * changed flag.
 */
const TOKEN = `*:*.${'a1b2c3d4'.repeat(8)}`
const CHANGES = 200
const FLAG = '/api/admin/projects/default/features/new-checkout/environments/development'
const folder = temporaryFolder()
afterAll(() => folder.remove())

describe.each(['sqlite', 'postgres'])('burgee start on %s', (kind) => {
  test('answers at the proxy with a change whose reply has come, 200 times', { timeout: 120_000 }, async () => {
    const own = kind === 'postgres' ? await freshDatabase() : undefined
    const database = own === undefined ? {} : { DATABASE_URL: own.url }
    const ports = { HTTP_PORT: '0', PROXY_PORT: '0' }
    const one = runBurgee(['start'], {
      ...database,
      ...ports,
      DATA_DIR: join(folder.path, kind),
      INIT_ADMIN_API_TOKENS: TOKEN,
    })
    const server = await one.find(/Server {3}(http:\/\/localhost:\d+)/)
    const [, key = '', proxy = ''] = /authorization: (\w+)' '([^']+)'/.exec(await one.find(/curl -H .*/)) ?? []
    const isOn = async () => {
      const reply = await fetch(proxy, { headers: { authorization: key } })
      const { toggles } = (await reply.json()) as { toggles: readonly { readonly name: string }[] }
      return toggles.some(({ name }) => name === 'new-checkout')
    }
    const late: number[] = []
    for (let change = 0; change < CHANGES; change += 1) {
      const wanted = change % 2 === 1
      const call = `${server}${FLAG}/${wanted ? 'on' : 'off'}`
      const reply = await fetch(call, { method: 'POST', headers: { authorization: TOKEN } })
      expect(reply.status).toBe(200)
      if ((await isOn()) !== wanted) late.push(change)
    }
    expect(late).toEqual([])
    one.kill('SIGTERM')
    expect(await one.ended).toBe(0)
    await own?.remove()
  })
})
