import { afterAll, beforeAll, expect, test } from 'vitest'
import { addPeople, type People } from '../change-requests/people.ts'
import { startServer, type TestServer } from '../scenario.ts'
import { applyFiles, configOf, exportFiles, type File, planFiles } from './config-project.ts'

/** Release plans in files: the plan lists each milestone that would be started. */
const P = '/api/admin/projects/default'
let server: TestServer
let people: People

beforeAll(async () => {
  server = await startServer()
  people = await addPeople(server)
  await server.admin('POST /api/admin/release-plan-templates', {
    name: 'Careful',
    milestones: ['few', 'all'].map((name) => ({ name, strategies: [{ strategyName: 'default' }] })),
  })
})
afterAll(() => server.close())

const release = (name: string, milestone: string | undefined, isOn = false): File => ({
  path: `${name}.yaml`,
  content: `kind: Flag\nname: ${name}\nenvironments:\n  production:\n    enabled: ${isOn}\n    release:\n      template: Careful\n${milestone === undefined ? '' : `      milestone: ${milestone}\n`}`,
})
const getActive = async (name: string) => {
  const [plan] = await server.admin(`GET ${P}/features/${name}/environments/production/release-plans`)
  return plan.milestones.find(({ id }: { id: string }) => id === plan.activeMilestoneId)?.name
}

test('the plan names the milestone, and its hash stands for the milestone', async () => {
  const plans = await Promise.all(
    [undefined, 'few', 'all'].map((milestone) => planFiles(server, [release('new', milestone, true)])),
  )
  expect(plans.map(({ changes }) => changes[1]?.sentence)).toEqual(
    ['few', 'few', 'all'].map(
      (one) => `Adds the release plan "Careful" at the milestone "${one}" in production, where it is off.`,
    ),
  )
  expect(new Set(plans.map(({ plan }) => plan)).size).toBe(3)
  const reply = await server.call({
    as: 'admin',
    call: `POST ${configOf('default')}/apply`,
    body: { files: [release('new', 'all', true)], plan: plans[1]?.plan },
  })
  expect(reply.statusCode).toBe(409)
  await applyFiles(server, [release('new', 'all', true)])
  expect(await getActive('new')).toBe('all')
})

test('a release that opens for the users of a flag that is on is listed as turned on', async () => {
  const started = await planFiles(server, [release('new', 'few', true)])
  expect(started.changes).toMatchObject([
    { sentence: expect.stringContaining('Starts the milestone "few"'), enables: true },
  ])
  await server.admin(`POST ${P}/features`, { name: 'lit' })
  const lit = `${P}/features/lit/environments/production`
  await server.admin(`POST ${lit}/strategies`, { name: 'userWithId', parameters: { userIds: 'a' } })
  await server.admin(`POST ${lit}/on`)
  const added = await planFiles(server, [release('lit', 'all', true)])
  expect(added.changes.find(({ sentence }) => sentence.startsWith('Adds'))).toMatchObject({ enables: true })
  const closed = await planFiles(server, [release('lit', 'all', false)])
  expect(closed.changes.filter(({ enables }) => enables)).toEqual([])
})

test('a plan of one environment does not rely on a milestone that it does not add', async () => {
  const template = (await exportFiles(server)).find(({ path }) => path.includes('Careful')) as File
  const more = `${template.content}  - name: later\n    strategies:\n      - name: default\n`
  const files = [{ ...template, content: more }, release('limited', 'later', true)]
  const reply = await server.call({
    as: 'admin',
    call: `POST ${configOf('default')}/plan`,
    body: { files, environment: 'production' },
  })
  expect(reply.statusCode, reply.body).toBe(400)
  expect(reply.json().mistakes).toMatchObject([{ property: 'environments.production.release.milestone', line: 8 }])
  await applyFiles(server, files)
  expect(await getActive('limited')).toBe('later')
})

test('a later milestone in a protected environment is a mistake, because a change request cannot start it', async () => {
  await server.admin(`PUT ${P}/environments/production/change-requests/config`, {
    changeRequestsEnabled: true,
    requiredApprovals: 1,
  })
  const plan = (milestone: string | undefined) =>
    server.call({
      ...people.as.author,
      call: `POST ${configOf('default')}/plan`,
      body: { files: [release('guarded', milestone, true)] },
    })
  expect((await plan('all')).json().mistakes).toMatchObject([
    {
      property: 'environments.production.release.milestone',
      message: expect.stringContaining('"production" is protected'),
    },
  ])
  expect((await plan('few')).json().needsChangeRequest).toEqual(['production'])
  expect((await plan(undefined)).json().needsChangeRequest).toEqual(['production'])
  // applies as the administrator, who may skip the review
  await applyFiles(server, [release('guarded', 'all', true)])
  expect(await getActive('guarded')).toBe('all')
})
