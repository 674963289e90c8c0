import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

/** Size of release templates: each event about a template contains it twice, and the list contains all templates. */
const TEMPLATES = '/api/admin/release-plan-templates'
const STRATEGY_CHARACTERS = 90_000
const TOTAL_CHARACTERS = 20_000_000
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** Returns a strategy whose constraint has about 90,000 characters. */
function longStrategy() {
  const values = Array.from({ length: 900 }, (_, index) => `${index}`.padEnd(97, 'v'))
  return { strategyName: 'default', constraints: [{ contextName: 'userId', operator: 'IN', values }] }
}

const create = (body: object) => server.call({ as: 'admin', call: `POST ${TEMPLATES}`, body })

/** Adds long strategies until one is rejected. Returns how many strategies were accepted, and the rejection. */
async function fill(id: string) {
  const { id: milestone } = await server.admin(`POST ${TEMPLATES}/${id}/milestones`, { name: 'one' })
  const call = `POST ${TEMPLATES}/${id}/milestones/${milestone}/strategies`
  for (let count = 0; ; count += 1) {
    const reply = await server.call({ as: 'admin', call, body: longStrategy() })
    if (reply.statusCode !== 201) return { count, reply, milestone }
  }
}

describe('release templates', () => {
  test('accept strategies of a million characters each, and can be shortened when full', async () => {
    const { id } = (await create({ name: 'full' })).json()
    const last = await server.lastEventId()
    const { count, reply, milestone } = await fill(id)
    expect(count * STRATEGY_CHARACTERS).toBeLessThan(1_000_000)
    expect(count).toBeGreaterThan(8)
    expect([reply.statusCode, reply.json().name]).toEqual([403, 'InvalidOperationError'])
    expect(reply.body).toContain('the maximum is 1,000,000.')
    expect(await server.eventsAfter(last)).toHaveLength(count + 1)
    await server.admin(`PUT ${TEMPLATES}/${id}`, { name: 'full, renamed' })
    await server.admin(`DELETE ${TEMPLATES}/${id}/milestones/${milestone}`)
    await server.admin(`DELETE ${TEMPLATES}/${id}`)
  })

  test('accept twenty million characters together', async () => {
    const { id } = (await create({ name: 'part' })).json()
    const { count } = await fill(id)
    const columns = 'name, description, milestones, created_by_user_id, created_at, archived_at'
    const copies = Math.floor(TOTAL_CHARACTERS / (count * STRATEGY_CHARACTERS)) - 2
    for (let copy = 0; copy < copies; copy += 1) {
      const sql = `insert into release_plan_templates (id, ${columns}) select '${copy}', ${columns} from release_plan_templates where id = ?`
      await server.db.rows(sql, id)
    }
    const replies = [await fill((await create({ name: 'last' })).json().id)]
    replies.push(await fill((await create({ name: 'beyond' })).json().id))
    const messages = replies.map(({ reply }) => reply.json().details[0].message)
    expect(messages[1]).toContain('The milestones of all release templates are too long.')
    expect((await create({ name: 'small', milestones: [] })).statusCode).toBe(201)
    const { length } = (await server.call({ as: 'viewer', call: `GET ${TEMPLATES}` })).body
    expect(length).toBeLessThan(22_000_000)
  })
})

test('a plan checks all strategies of its template with a constant number of queries', async () => {
  const statements: string[] = []
  const counted = await startServer({}, Date.now, { onQuery: (sql) => void statements.push(sql) })
  try {
    const { id: segment } = await counted.admin('POST /api/admin/segments', { name: 'testers', constraints: [] })
    const countQueries = async (strategies: number) => {
      const strategy = { strategyName: 'flexibleRollout', parameters: { rollout: '5' }, segments: [segment] }
      const milestones = [
        { name: 'one', strategies: [strategy] },
        { name: 'all', strategies: Array(strategies).fill(strategy) },
      ]
      const { id: templateId } = await counted.admin(`POST ${TEMPLATES}`, { name: `${strategies}`, milestones })
      const flag = `flag-${strategies}`
      await counted.admin('POST /api/admin/projects/default/features', { name: flag })
      statements.length = 0
      const plans = `/api/admin/projects/default/features/${flag}/environments/development/release-plans`
      await counted.admin(`POST ${plans}`, { templateId })
      return statements.filter((sql) => /from "(segments|strategy_types)"/.test(sql)).length
    }
    expect(await countQueries(30)).toBe(await countQueries(2))
  } finally {
    await counted.close()
  }
})
