import { afterAll, beforeAll, expect, test } from 'vitest'
import { type FreshDatabase, freshDatabase } from '../support/postgres.ts'
import { IS_LONG, report } from './report.ts'
import { runServer, type ServerNode, serverNode } from './server-node.ts'

/** P5: callers get only flags of their token's projects and environment, even while flags move between projects. */
const MOVES_EACH = IS_LONG ? 200 : 12
const MOVERS = 3
const READERS = 4
const FLAGS = 9
const PROJECTS = ['a', 'b', 'c'] as const
const ENVIRONMENTS = ['development', 'production'] as const
/** Time limit in milliseconds. Nodes synchronize within a second; the rest is a margin for busy machines. */
const SLACK_MS = 3000

/** Period during which a flag was in a project. The period lasts until the change that ends it was acknowledged. */
interface Stay {
  readonly project: string
  untilMs: number
}
interface Token {
  readonly secret: string
  readonly type: 'client' | 'frontend'
  readonly environment: string
  readonly projects: readonly string[]
}
interface Downloaded {
  readonly features: readonly {
    readonly name: string
    readonly project: string
    readonly strategies: readonly { readonly parameters: { readonly groupId: string }; readonly segments?: number[] }[]
  }[]
  readonly segments: readonly { readonly id: number; readonly name: string }[]
}

let database: FreshDatabase
let nodes: ServerNode[] = []
const stays = new Map<string, Stay[]>()
const tokens: Token[] = []
beforeAll(async () => {
  database = await freshDatabase()
  // use removed tokens again, from one address
  const env = { DATABASE_URL: database.url, KEEP_DOCUMENTS: 'false', TOKEN_GUESS_LIMIT_PER_MINUTE: '1000000' }
  nodes = [await serverNode(runServer(env)), await serverNode(runServer(env))]
  for (const id of PROJECTS) await done('POST', 'projects', { id, name: id })
  const segments = new Map<string, number>()
  for (const id of PROJECTS) {
    const made = await done('POST', 'segments', { name: `of-${id}`, constraints: [] })
    segments.set(id, (made as { id: number }).id)
  }
  for (let index = 0; index < FLAGS; index += 1) {
    const [name, project] = [`flag-${index}`, PROJECTS[index % PROJECTS.length] ?? 'a']
    stays.set(name, [{ project, untilMs: Number.POSITIVE_INFINITY }])
    await done('POST', `projects/${project}/features`, { name })
    for (const environment of ENVIRONMENTS) {
      const path = `projects/${project}/features/${name}/environments/${environment}`
      const parameters = { rollout: '100', stickiness: 'default', groupId: environment }
      const body = { name: 'flexibleRollout', parameters, segments: [segments.get(project)] }
      await done('POST', `${path}/strategies`, body)
      await done('POST', `${path}/on`)
    }
  }
  for (const type of ['client', 'frontend'] as const)
    for (const environment of ENVIRONMENTS)
      for (const projects of [['a'], ['b'], ['a', 'c'], ['*']]) {
        const body = { type, tokenName: `${type} ${environment} ${projects}`, environment, projects }
        const { secret } = (await done('POST', 'api-tokens', body)) as { secret: string }
        tokens.push({ secret, type, environment, projects })
      }
}, 120_000)
afterAll(async () => {
  for (const { process } of nodes) {
    process.kill('SIGKILL')
    await process.ended
  }
  await database.remove()
})

async function done(method: string, path: string, body?: unknown, node = nodes[0]): Promise<unknown> {
  const reply = await node?.admin(method, path, body)
  const text = (await reply?.text()) ?? ''
  if (reply?.ok !== true) throw new Error(`${method} ${path}: ${reply?.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

const isOf = (token: Token, project: string) => token.projects.includes('*') || token.projects.includes(project)
const anyOf = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T

/** Returns true if a flag may have been in a project of the token at any time during a request. */
function mayHaveBeen(name: string, token: Token, beganMs: number): boolean {
  return (stays.get(name) ?? []).some(({ project, untilMs }) => isOf(token, project) && untilMs >= beganMs - SLACK_MS)
}

/** Returns the flags that a token received although it must not get them. */
async function leaksOf(node: ServerNode, token: Token): Promise<string[]> {
  const beganMs = performance.now()
  if (token.type === 'frontend') {
    const reply = await node.ask('/api/frontend?userId=7', token.secret)
    const { toggles } = (await reply.json()) as { toggles: readonly { name: string }[] }
    return toggles.filter(({ name }) => !mayHaveBeen(name, token, beganMs)).map(({ name }) => `${name} for a front end`)
  }
  const query = anyOf(['', '?project=a', '?project=b&project=c', '?namePrefix=flag-1'])
  const reply = await node.ask(`/api/client/features${query}`, token.secret, { 'unleash-client-spec': '5.2.0' })
  const { features, segments } = (await reply.json()) as Downloaded
  const used = new Set(features.flatMap(({ strategies }) => strategies.flatMap((strategy) => strategy.segments ?? [])))
  return [
    ...features.filter(({ project }) => !isOf(token, project)).map(({ name, project }) => `${name} of ${project}`),
    ...features.filter(({ name }) => !mayHaveBeen(name, token, beganMs)).map(({ name }) => `${name}, which has moved`),
    ...features.flatMap(({ name, strategies }) =>
      strategies
        .filter(({ parameters }) => parameters.groupId !== token.environment)
        .map(({ parameters }) => `${name} as in ${parameters.groupId}`),
    ),
    ...segments.filter(({ id }) => !used.has(id)).map(({ name }) => `segment ${name}, which no flag uses`),
  ].map((leak) => `${leak} by ${token.type} token of ${token.projects} in ${token.environment}${query}`)
}

/**
 * Moves the given flags one at a time, creating and removing tokens in between. Returns the tokens that were accepted
 * after they had been removed.
 */
async function move(own: readonly string[]): Promise<string[]> {
  const outlived: string[] = []
  for (let count = 0; count < MOVES_EACH; count += 1) {
    const name = anyOf(own)
    const known = stays.get(name) ?? []
    const before = known.at(-1)
    const project = anyOf(PROJECTS.filter((id) => id !== before?.project))
    const node = anyOf(nodes)
    known.push({ project, untilMs: Number.POSITIVE_INFINITY })
    await done('POST', `projects/${before?.project}/features/${name}/changeProject`, { newProjectId: project }, node)
    if (before !== undefined) before.untilMs = performance.now()
    const body = { type: 'client', tokenName: 'short', environment: 'development', projects: [project] }
    const { secret, id } = (await done('POST', 'api-tokens', body, node)) as { secret: string; id: string }
    await node.download(secret)
    await done('DELETE', `api-tokens/${id}`, undefined, node)
    const { status } = await node.download(secret)
    if (status !== 401) outlived.push(`${status} for a removed token of ${project}`)
  }
  return outlived
}

test(`while ${MOVERS * MOVES_EACH} moves race with readers nothing of another project or environment is revealed`, async () => {
  const leaks: string[] = []
  let [isOver, reads] = [false, 0]
  const readers = Array.from({ length: READERS }, async () => {
    while (!isOver) {
      leaks.push(...(await leaksOf(anyOf(nodes), anyOf(tokens))))
      reads += 1
    }
  })
  const names = [...stays.keys()]
  const outlived = await Promise.all(
    Array.from({ length: MOVERS }, (_, mover) => move(names.filter((_name, index) => index % MOVERS === mover))),
  )
  isOver = true
  await Promise.all(readers)
  expect([leaks, outlived.flat()]).toEqual([[], []])
  // once the moves have settled, every token gets its flags from every node
  await new Promise((resolve) => setTimeout(resolve, 1000))
  for (const node of nodes)
    for (const token of tokens.filter(({ type }) => type === 'client')) {
      const own = names.filter((name) => isOf(token, stays.get(name)?.at(-1)?.project ?? ''))
      expect((await node.download(token.secret)).on.toSorted()).toEqual(own.toSorted())
    }
  expect(reads).toBeGreaterThan(MOVES_EACH)
  report(
    'P5',
    `${MOVERS * MOVES_EACH} moves, ${tokens.length} tokens, 2 nodes`,
    `${reads} replies, ${leaks.length} leaks`,
  )
}, 600_000)
