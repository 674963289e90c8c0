import { randomBytes } from 'node:crypto'
import { PERMISSIONS } from '@burgee/protocol/administration/permission'
import { expect } from 'vitest'
import { addSession, type Scenario, startServer, type TestServer } from '../scenario.ts'

/** Marker word that appears in all data of a private project. */
export const CANARY = 'zqcanary'
export const PROJECT = `${CANARY}-project`
export const FLAG = `${CANARY}-flag`

const A = '/api/admin'
const P = `${A}/projects`
const F = `${P}/${PROJECT}/features`
const HOUR_MS = 3_600_000

/** Ids of the objects in the private project. */
export interface CanaryIds {
  readonly segmentId: string
  readonly strategyId: string
  readonly request: string
  readonly integration: string
  readonly token: string
}

/** Caller of a request; an object without properties stands for a caller without credentials. */
export type Caller = Pick<Scenario, 'as' | 'headers'>

/** Server with a private project whose data contains marker words (canaries), and callers that must not see them. */
export interface CanaryServer {
  readonly server: TestServer
  readonly ids: CanaryIds
  /** Client token of the private project. */
  readonly secret: string
  /** Callers that are not members, by kind. */
  readonly strangers: ReadonlyMap<string, Caller>
  /** Member who is not an administrator. */
  readonly member: Caller
}

/** Starts the server and fills the project. */
export async function startCanaryServer(): Promise<CanaryServer> {
  const server = await startServer({ secretKey: randomBytes(32).toString('base64') })
  await server.admin(`POST ${P}/default/features`, { name: 'open-flag', description: 'open' })
  await server.admin(`POST ${A}/context`, { name: 'plan' })
  await server.admin(`POST ${P}`, { id: PROJECT, name: CANARY, description: CANARY })
  // `member` and `former` join before the project becomes private
  const member = await addPerson(server, 'member', 3)
  const former = await addPerson(server, 'former', 3)
  await server.admin(`PUT ${P}/${PROJECT}/users/${member}/roles`, { roles: [4] })
  await server.admin(`PUT ${P}/${PROJECT}/users/${former}/roles`, { roles: [4] })
  const formerToken = await personalToken(server, sessionOf('former'))
  const ids = { ...(await fillProject(server)), integration: '', token: '' }
  await server.admin(`PUT ${P}/${PROJECT}/settings`, { mode: 'private' })
  await actAsMember(server)
  await removeProject(server)
  const integration = await integrate(server)
  const { token, secret } = await report(server)
  await fillColumns(server)
  await server.admin(`DELETE ${P}/${PROJECT}/users/${former}/roles`)
  const strangers = await addStrangers(server, formerToken)
  await server.server.flush()
  return { server, ids: { ...ids, integration, token }, secret, strangers, member: sessionOf('member') }
}

/** Writes the marker word into every text that users can set in a project. */
async function fillProject(server: TestServer): Promise<Omit<CanaryIds, 'integration' | 'token'>> {
  const settings = {
    name: CANARY,
    description: CANARY,
    featureNaming: { pattern: `${CANARY}.*`, example: `${CANARY}-x`, description: CANARY },
    linkTemplates: [{ title: CANARY, urlTemplate: `https://example.com/${CANARY}` }],
  }
  await server.admin(`PUT ${P}/${PROJECT}`, settings)
  const parent = `${CANARY}-parent`
  for (const name of [FLAG, parent, `${CANARY}-archived`, `${CANARY}-deleted`]) {
    await server.admin(`POST ${F}`, { name, description: CANARY })
  }
  for (const name of ['archived', 'deleted']) await server.admin(`DELETE ${F}/${CANARY}-${name}`)
  const segment = await server.admin(`POST ${A}/segments`, {
    name: `${CANARY}-segment`,
    description: CANARY,
    project: PROJECT,
    constraints: [{ contextName: 'plan', operator: 'IN', values: [CANARY] }],
  })
  const variant = { name: CANARY, weight: 1000, weightType: 'variable', payload: { type: 'string', value: CANARY } }
  const strategy = await server.admin(`POST ${F}/${FLAG}/environments/development/strategies`, {
    name: 'flexibleRollout',
    title: CANARY,
    segments: [segment.id],
    constraints: [{ contextName: 'plan', operator: 'IN', values: [CANARY] }],
    parameters: { rollout: '100', stickiness: 'default', groupId: CANARY },
    variants: [{ ...variant, stickiness: 'default' }],
  })
  const { id: templateId } = await server.admin(`POST ${A}/release-plan-templates`, {
    name: 'Open to all',
    milestones: [{ name: 'All', strategies: [{ strategyName: 'default' }] }],
  })
  await server.admin(`POST ${F}/${FLAG}/environments/production/release-plans`, { templateId })
  await server.admin(`PUT ${F}/${FLAG}/environments/development/safeguards`, {
    impactMetric: { metricName: CANARY, source: 'alert' },
    action: { type: 'disableEnvironment' },
  })
  await server.admin(`PUT ${F}/${FLAG}/environments/development/safeguards`, {
    impactMetric: { metricName: CANARY },
    triggerCondition: { operator: '>', threshold: 1 },
    action: { type: 'disableEnvironment' },
  })
  await server.admin(`POST ${F}/${FLAG}/impact-metrics/config`, { metricName: CANARY, title: CANARY })
  await server.admin(`PUT ${F}/${FLAG}/environments/development/variants`, [{ ...variant, stickiness: 'default' }])
  await server.admin(`POST ${F}/${FLAG}/environments/development/on`)
  await server.admin(`POST ${F}/${FLAG}/environments/development/self-targeting`, {
    userId: CANARY,
    variant: variant.name,
  })
  const source = { repository: CANARY, commit: '3f2a1c0' }
  const files = [{ path: `${CANARY}.yaml`, content: `kind: Flag\nname: ${FLAG}.managed\n` }]
  const { plan } = await server.admin(`POST ${P}/${PROJECT}/config/plan`, { files, source })
  await server.admin(`POST ${P}/${PROJECT}/config/apply`, { files, source, plan })
  const run = { environment: 'development', name: CANARY, overrides: { [FLAG]: { variant: CANARY } } }
  await server.admin(`POST ${P}/${PROJECT}/test-runs`, run)
  await server.admin(`POST ${A}/features/${FLAG}/tags`, { type: 'simple', value: `${CANARY}tag` })
  await server.admin(`POST ${A}/invite-link/tokens`, {
    name: 'Team',
    expiresAt: new Date(Date.now() + HOUR_MS).toISOString(),
    projectRoles: [{ project: PROJECT, role: 5 }],
  })
  const bulk = { addedTags: [{ type: 'simple', value: `${CANARY}bulk` }], removedTags: [] }
  await server.admin(`PUT ${P}/${PROJECT}/tags`, { features: [FLAG], tags: bulk })
  await server.admin(`POST ${F}/${FLAG}/link`, { url: `https://example.com/${CANARY}`, title: CANARY })
  await server.admin(`POST ${F}/${FLAG}/comments`, { text: CANARY })
  await server.admin(`POST ${F}/${FLAG}/dependencies`, { feature: parent, variants: [CANARY] })
  await server.admin(`POST ${P}/${PROJECT}/snooze`, {
    features: [FLAG],
    until: new Date(Date.now() + HOUR_MS).toISOString(),
  })
  await importState(server)
  const first = { name: 'default', title: CANARY }
  await server.admin(`POST ${P}/${PROJECT}/environments/production/default-strategy`, first)
  const request = await propose(server)
  return { segmentId: String(segment.id), strategyId: strategy.id, request }
}

/** Imports a document with a flag and its tag, which is in the list of tags as well. */
async function importState(server: TestServer): Promise<void> {
  const name = `${CANARY}-imported`
  const tag = { type: 'simple', value: `${CANARY}state` }
  const featureTags = [{ featureName: name, tagType: tag.type, tagValue: tag.value }]
  const features = [{ name, project: PROJECT, type: 'release' }]
  const body = { version: 4, tags: [tag], features, featureTags }
  const reply = await server.call({ as: 'admin', call: `POST ${A}/state/import`, body })
  expect(reply.statusCode, reply.body).toBe(202)
}

/** Creates a member's personal data in the project: favorites and presence. */
async function actAsMember(server: TestServer): Promise<void> {
  const calls: readonly (readonly [string, object?])[] = [
    [`POST ${F}/${FLAG}/favorites`],
    [`POST ${P}/${PROJECT}/favorites`],
    [`PUT ${A}/user/presence`, { project: PROJECT, feature: FLAG }],
  ]
  for (const [call, body] of calls) {
    const reply = await server.call({ ...sessionOf('member'), call, ...(body === undefined ? {} : { body }) })
    expect(reply.statusCode, reply.body).toBeLessThan(300)
  }
}

/** Fills columns that are hard to reach through the API: external imports, failures, directory groups. */
async function fillColumns({ db, admin }: TestServer): Promise<void> {
  const texts: readonly (readonly [string, readonly string[]])[] = [
    ['api_token_callers', ['instance_id', 'sdk_version']],
    ['change_request_changes', ['segment_name']],
    ['change_requests', ['schedule_reason']],
    ['client_applications', ['description', 'url', 'color', 'icon']],
    ['feature_stages', ['status_value']],
  ]
  for (const [table, columns] of texts) {
    await db.rows(`update ${table} set ${columns.map((column) => `${column} = '${CANARY}'`).join(', ')}`)
  }
  const value = "insert into feature_values (feature_name, value_type, default_value) values (?, 'string', ?)"
  await db.rows(value, FLAG, JSON.stringify(CANARY))
  const agent = JSON.stringify({ via: 'mcp', client: 'a', version: '1', tool: 'create_flag', reason: CANARY })
  await db.rows('update events set agent = ? where project = ?', agent, PROJECT)
  const write =
    'insert into agent_writes (token_id, user_id, tool, outcome, project, feature_name, client_name, client_version, ' +
    "created_at) values (1, 1, 'create_flag', 'applied', ?, ?, 'a', '1', 0)"
  await db.rows(write, PROJECT, FLAG)
  await fillCodeReferences(db)
  const { id } = await admin(`POST ${A}/groups`, { name: 'A group', users: [] })
  await admin(`PUT ${P}/${PROJECT}/groups/${id}/roles`, { roles: [5] })
}

/** Adds a repository whose code asks for the flag, as a scan of the code stores it. */
async function fillCodeReferences(db: TestServer['db']): Promise<void> {
  await db.rows(
    'insert into code_repositories (name, type, source_link, commit_url_template, hunk_url_template, default_branch, ' +
      'created_at) values (?, ?, ?, ?, ?, ?, 0)',
    ...Array.from({ length: 6 }, () => CANARY),
  )
  const branch = 'insert into code_branches (repository, branch, head, synced_at) values (?, ?, ?, 0)'
  await db.rows(branch, CANARY, CANARY, CANARY)
  const scan = 'insert into code_scans (repository, branch, project, head) values (?, ?, ?, ?)'
  await db.rows(scan, CANARY, CANARY, PROJECT, CANARY)
  const references =
    'insert into code_references (repository, branch, project, feature_name, reference_count, places) ' +
    'values (?, ?, ?, ?, 1, ?)'
  const places = JSON.stringify([{ path: CANARY, line: 1, lines: CANARY }])
  await db.rows(references, CANARY, CANARY, PROJECT, FLAG, places)
  const removal =
    'insert into code_extinctions (repository, branch, feature_name, revision, message, removed_at) ' +
    'values (?, ?, ?, ?, ?, 0)'
  await db.rows(removal, CANARY, CANARY, FLAG, CANARY, CANARY)
}

/** Deletes a private project. After the deletion, the history of the project must stay hidden. */
async function removeProject(server: TestServer): Promise<void> {
  const id = `${CANARY}-removed`
  await server.admin(`POST ${P}`, { id, name: id, mode: 'private' })
  await server.admin(`DELETE ${P}/${id}`)
}

async function propose(server: TestServer): Promise<string> {
  const environment = `${P}/${PROJECT}/environments/production/change-requests`
  await server.admin(`PUT ${environment}/config`, { changeRequestsEnabled: true, requiredApprovals: 1 })
  const payload = { name: 'default', title: CANARY, constraints: [], parameters: {} }
  const body = { feature: FLAG, action: 'addStrategy', payload }
  const call = async (method: string, more: object) => {
    const reply = await server.call({ ...sessionOf('member'), call: method, body: more })
    expect(reply.statusCode, reply.body).toBeLessThan(300)
    return reply.body === '' ? {} : reply.json()
  }
  const { id } = await call(`POST ${environment}`, body)
  const request = `${P}/${PROJECT}/change-requests/${id}`
  await call(`PUT ${request}/title`, { title: CANARY })
  await call(`POST ${request}/comments`, { text: CANARY })
  await call(`PUT ${request}/state`, { state: 'In review' })
  return String(id)
}

/** Creates an integration for the project among others, with past deliveries. */
async function integrate(server: TestServer): Promise<string> {
  const { id } = await server.admin(`POST ${A}/addons`, {
    provider: 'webhook',
    enabled: false,
    events: ['feature-created'],
    parameters: { url: 'https://receiver.example/' },
    projects: ['default', PROJECT],
  })
  await server.db.rows(
    `insert into integration_attempts (integration_id, event_id, created_at, attempt, state, error, duration_ms)
     select ${id}, id, 0, 1, 'success', '', 1 from events where feature_name = '${FLAG}' and type = 'feature-created'`,
  )
  return String(id)
}

/**
 * Simulates an SDK of the project. The SDK registers and reports a flag, a flag that is then deleted, and unknown
 * flags.
 */
async function report(server: TestServer): Promise<{ token: string; secret: string }> {
  const made = { tokenName: `${CANARY}-token`, type: 'client', environment: 'development', projects: [PROJECT] }
  const { secret } = await server.admin(`POST ${A}/api-tokens`, made)
  const start = new Date(Date.now() - 1000).toISOString()
  const own = { appName: `${CANARY}-app`, instanceId: `${CANARY}-instance` }
  const headers = { 'user-agent': `${CANARY}-agent`, 'unleash-appname': own.appName }
  const send = (path: string, body: object) =>
    server.call({ as: secret, call: `POST /api/client/${path}`, body, headers })
  const register = { ...own, sdkVersion: `${CANARY}-sdk:1.0.0`, strategies: [`${CANARY}-strategy`], started: start }
  expect((await send('register', { ...register, interval: 1 })).statusCode).toBe(202)
  const counted = (name: string) => ({ [name]: { yes: 3, no: 1, variants: { [CANARY]: 3 } } })
  const toggles = { ...counted(FLAG), ...counted(`${CANARY}-archived`), ...counted(`${CANARY}-deleted`) }
  const bucket = { start, stop: new Date().toISOString(), toggles: { ...toggles, ...counted(`${CANARY}-unknown`) } }
  const samples = [{ labels: { [CANARY]: CANARY }, value: 1 }]
  const impactMetrics = [{ name: CANARY, help: CANARY, type: 'counter', samples }]
  expect((await send('metrics', { ...own, bucket, impactMetrics })).statusCode).toBe(202)
  await server.server.flush()
  await server.admin(`DELETE ${A}/archive/${CANARY}-deleted`)
  // requests the deleted flag again, which makes it an unknown flag
  expect((await send('metrics', { ...own, bucket })).statusCode).toBe(202)
  await server.server.flush()
  const row = await server.db.row('select id from api_tokens where name = ?', made.tokenName)
  return { token: String(row?.id), secret }
}

async function addStrangers(server: TestServer, formerToken: string): Promise<ReadonlyMap<string, Caller>> {
  const viewer: Caller = { as: 'viewer' }
  const editor: Caller = { as: 'editor' }
  await addPerson(server, 'deputy', await deputyRole(server))
  const owner = await addPerson(server, 'owner', 3)
  await server.admin(`PUT ${P}/default/users/${owner}/roles`, { roles: [4] })
  const other = await addPerson(server, 'colleague', 3)
  await server.admin(`PUT ${P}/default/users/${other}/roles`, { roles: [5] })
  const account = await server.admin(`POST ${A}/service-account`, { name: 'robot', username: 'robot', rootRole: 2 })
  const ends = { description: 'robot', expiresAt: new Date(Date.now() + HOUR_MS).toISOString() }
  const robot = await server.admin(`POST ${A}/service-account/${account.id}/token`, ends)
  return new Map<string, Caller>([
    ['viewer', viewer],
    ['editor', editor],
    ['deputy with every permission but ADMIN', sessionOf('deputy')],
    ['owner of another project', sessionOf('owner')],
    ['member of another project', sessionOf('colleague')],
    ['service account', { as: robot.secret }],
    ['former member', sessionOf('former')],
    ['personal token of a former member', { as: formerToken }],
    ['personal token of an editor', { as: await personalToken(server, editor) }],
    ['personal token of a deputy', { as: await personalToken(server, sessionOf('deputy')) }],
    ['client token of another project', { as: 'client' }],
    ['frontend token of another project', { as: 'frontend' }],
    ['nobody', {}],
  ])
}

async function deputyRole(server: TestServer): Promise<number> {
  const role = await server.db.row(
    "insert into roles (name, description, type) values ('Deputy', '', 'root-custom') returning id",
  )
  for (const { name, type } of PERMISSIONS) {
    if (name === 'ADMIN' || type !== 'root') continue
    const insert = 'insert into role_permissions (role_id, permission, environment) values (?, ?, null)'
    await server.db.rows(insert, Number(role?.id), name)
  }
  return Number(role?.id)
}

async function addPerson(server: TestServer, name: string, role: number): Promise<number> {
  const insert = "insert into users (username, password_hash, root_role, created_at) values (?, '', ?, ?) returning id"
  const id = Number((await server.db.row(insert, name, role, Date.now()))?.id)
  await addSession(server.db, name, id, Date.now())
  return id
}

function sessionOf(name: string): Caller {
  return { headers: { cookie: `burgee-session=${name}-session` } }
}

async function personalToken(server: TestServer, caller: Caller): Promise<string> {
  const body = { description: 'own', expiresAt: new Date(Date.now() + HOUR_MS).toISOString() }
  const reply = await server.call({ ...caller, call: `POST ${A}/user/tokens`, body })
  expect(reply.statusCode, reply.body).toBe(201)
  return reply.json().secret
}
