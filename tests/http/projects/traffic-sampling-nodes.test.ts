import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { readyPlace } from '../../support/place.ts'
import { until } from '../../support/wait.ts'
import { startServer, type TestServer, TOKENS } from '../scenario.ts'

/**
 * Traffic sampling on two servers with one database: the setting applies to both, but each server has separate samples.
 */
const SAMPLING = '/api/admin/environments/development/traffic-sampling'
const FEATURES = '/api/admin/projects/default/features'
const FLAG = `${FEATURES}/checkout/environments/development`

describe.runIf(inject('driver') === 'postgres')('two servers on one PostgreSQL', () => {
  let place: Awaited<ReturnType<typeof readyPlace>>
  let first: TestServer
  let second: TestServer
  let nowMs = Date.now()
  const start = async () => {
    // the clock advances each time it is read, so sampling drops nothing
    const server = await startServer({}, () => (nowMs += 1), { place: { ...place, remove: async () => {} } })
    // the next server on this database recreates them
    await server.db.rows("delete from users where username in ('editor', 'viewer')")
    return server
  }
  beforeAll(async () => {
    place = await readyPlace()
    first = await start()
    second = await start()
    await first.admin(`POST ${FEATURES}`, { name: 'checkout' })
    const nobody = { name: 'flexibleRollout', parameters: { rollout: '0', stickiness: 'default', groupId: 'x' } }
    await first.admin(`POST ${FLAG}/strategies`, nobody)
    await first.admin(`POST ${FLAG}/on`)
  })
  afterAll(async () => {
    await second.close()
    await first.close()
    await place.remove()
  })

  const held = async (server: TestServer) => {
    const { enabled, contexts } = await server.admin(`GET ${SAMPLING}`)
    return [enabled, contexts]
  }
  const evaluate = async (server: TestServer, users: number): Promise<void> => {
    for (let user = 0; user < users; user += 1) {
      const call = `GET /api/frontend?userId=${user}`
      expect((await server.call({ as: TOKENS.frontend, call })).statusCode).toBe(200)
    }
  }
  const impactAt = async (server: TestServer) => {
    const strategy = { name: 'flexibleRollout', parameters: { rollout: '100', stickiness: 'default', groupId: 'x' } }
    const { evaluations, offToOn } = await server.admin(`POST ${FLAG}/impact`, { strategy })
    return [evaluations, offToOn]
  }

  test('both sample when it is switched on at one, and each answers for what it has seen', async () => {
    expect([await held(first), await held(second)]).toEqual([
      [false, 0],
      [false, 0],
    ])
    await first.admin(`PUT ${SAMPLING}`, { enabled: true })
    await until(async () => (await held(second))[0] === true)
    await until(
      async () => (await second.admin(`GET ${FLAG.replace('/environments/development', '')}`)).name === 'checkout',
    )
    await evaluate(first, 7)
    await evaluate(second, 11)
    expect([await held(first), await held(second)]).toEqual([
      [true, 7],
      [true, 11],
    ])
    expect([await impactAt(first), await impactAt(second)]).toEqual([
      [7, 7],
      [11, 11],
    ])
  })

  test('both forget when it is switched off at the other one', async () => {
    await second.admin(`PUT ${SAMPLING}`, { enabled: false })
    await until(async () => (await held(first))[0] === false)
    await first.admin(`PUT ${SAMPLING}`, { enabled: true })
    await until(async () => (await held(second))[0] === true)
    expect([await held(first), await held(second)]).toEqual([
      [true, 0],
      [true, 0],
    ])
  })
})
