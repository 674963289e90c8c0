import type { StartedEdge } from '@burgee/edge/edge-process'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../../http/scenario.ts'
import { ask } from './edge-scene.ts'
import { runEdge } from './running-edge.ts'

/**
 * Two environments, three projects, six tokens in one process: no reply contains anything outside its token's scope.
 */
const PROJECTS = ['red', 'green', 'blue']
const ENVIRONMENTS = ['development', 'production']
const TOKENS: readonly { type: 'client' | 'frontend'; environment: string; projects: string[] }[] = [
  { type: 'client', environment: 'development', projects: ['red'] },
  { type: 'client', environment: 'development', projects: ['green', 'blue'] },
  { type: 'client', environment: 'production', projects: ['*'] },
  { type: 'frontend', environment: 'development', projects: ['green'] },
  { type: 'frontend', environment: 'production', projects: ['red', 'blue'] },
  { type: 'frontend', environment: 'development', projects: ['*'] },
]

let server: TestServer
let edge: StartedEdge
let secrets: string[]
beforeAll(async () => {
  server = await startServer()
  const { url } = await server.server.listen()
  for (const project of PROJECTS) {
    if (project !== 'default') await server.admin('POST /api/admin/projects', { id: project, name: project })
    for (const environment of ENVIRONMENTS) {
      const name = `${project}.${environment}`
      const flags = `/api/admin/projects/${project}/features`
      await server.admin(`POST ${flags}`, { name })
      await server.admin(`POST ${flags}/${name}/environments/${environment}/strategies`, { name: 'default' })
      await server.admin(`POST ${flags}/${name}/environments/${environment}/on`)
    }
  }
  secrets = []
  for (const [index, token] of TOKENS.entries()) {
    const body = { tokenName: `token-${index}`, ...token }
    secrets.push(((await server.admin('POST /api/admin/api-tokens', body)) as { secret: string }).secret)
  }
  const clients = secrets.filter((_secret, index) => TOKENS[index]?.type === 'client')
  edge = await runEdge({ UPSTREAM_URL: url, TOKENS: clients.join(',') })
})
afterAll(async () => {
  await edge.close()
  await server.close()
})

const CALLS = {
  client: ['GET /api/client/features', 'POST /api/client/features', 'GET /api/client/delta'],
  frontend: ['GET /api/frontend', 'GET /api/frontend/all', 'POST /api/proxy', 'POST /api/proxy/all'],
}

test("replies match the token's scope for any requests in any order", async () => {
  const index = fc.nat({ max: TOKENS.length - 1 })
  const asking = fc.record({ index, call: fc.nat(), narrowed: fc.option(fc.constantFrom(...PROJECTS)) })
  await fc.assert(
    fc.asyncProperty(fc.array(asking, { minLength: 1, maxLength: 8 }), async (askings) => {
      const answers = askings.map(({ index, call, narrowed }) => {
        const { type } = TOKENS[index] as (typeof TOKENS)[number]
        const line = CALLS[type][call % CALLS[type].length] ?? ''
        const query = type === 'client' && narrowed !== null ? `?project=${narrowed}` : ''
        return ask(edge.url, `${line}${query}`, {
          token: secrets[index],
          ...(line.startsWith('POST') ? { body: {} } : {}),
        })
      })
      for (const [at, { status, text }] of (await Promise.all(answers)).entries()) {
        const { index, narrowed } = askings[at] as (typeof askings)[number]
        const { type, environment, projects } = TOKENS[index] as (typeof TOKENS)[number]
        expect(status).toBe(200)
        const own = PROJECTS.filter((project) => projects.includes('*') || projects.includes(project))
        const asked = type === 'client' && narrowed !== null ? own.filter((project) => project === narrowed) : own
        for (const project of PROJECTS) {
          // a flag exists only in its project and is on only in its environment
          expect(text.includes(`"${project}.${environment}"`)).toBe(asked.includes(project))
        }
        const onElsewhere = ENVIRONMENTS.filter((name) => name !== environment).flatMap((name) =>
          PROJECTS.map((project) => new RegExp(`"name":"${project}.${name}"[^{}]*"enabled":true`)),
        )
        for (const leak of onElsewhere) expect(text).not.toMatch(leak)
      }
    }),
    { numRuns: 40 },
  )
})
