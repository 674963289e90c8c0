import type { ReleasePlan } from '@burgee/protocol/administration/release-plan'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'
import { addPeople, type People } from './people.ts'

/** In a protected environment, release plans and safeguards are changed by change requests. */
const PROJECT = '/api/admin/projects/default'
const FLAG = `${PROJECT}/features/flag/environments/production`
let server: TestServer
let people: People
let templateId = ''

beforeAll(async () => {
  server = await startServer()
  people = await addPeople(server)
  const step = (rollout: string) => ({
    name: rollout,
    strategies: [{ strategyName: 'flexibleRollout', parameters: { rollout } }],
  })
  const body = { name: 'Two steps', milestones: [step('25'), step('100')] }
  templateId = (await server.admin('POST /api/admin/release-plan-templates', body)).id
  await server.admin(`POST ${PROJECT}/features`, { name: 'flag' })
  const config = { changeRequestsEnabled: true, requiredApprovals: 1 }
  await server.admin(`PUT ${PROJECT}/environments/production/change-requests/config`, config)
})
afterAll(() => server.close())

/** Proposes a change, approves it and applies it. Returns the types of the events that this caused. */
async function request(action: string, payload: unknown): Promise<string[]> {
  const change = { feature: 'flag', action, payload }
  const url = `${PROJECT}/environments/production/change-requests`
  const made = await server.call({ call: `POST ${url}`, body: change, ...people.as.author })
  expect(made.statusCode, made.body).toBe(200)
  const state = `PUT ${PROJECT}/change-requests/${made.json().id}/state`
  await server.call({ call: state, body: { state: 'In review' }, ...people.as.author })
  await server.call({ call: state, body: { state: 'Approved' }, ...people.as.first })
  const last = await server.lastEventId()
  const applied = await server.call({ call: state, body: { state: 'Applied' }, ...people.as.first })
  expect(applied.statusCode, applied.body).toBe(200)
  return (await server.eventsAfter(last)).filter((type) => type !== 'change-request-applied')
}
const readPlan = async (): Promise<ReleasePlan> => (await server.admin(`GET ${FLAG}/release-plans`))[0]

test('a plan is added, changed and removed by requests', async () => {
  expect(await request('addReleasePlan', { templateId })).toEqual(['release-plan-added', 'feature-strategy-add'])
  const plan = await readPlan()
  const [planId, sourceMilestone, milestoneId] = [plan.id, plan.milestones[0]?.id, plan.milestones[1]?.id]
  const progression = { sourceMilestone, targetMilestone: milestoneId, transitionCondition: { intervalMinutes: 5 } }
  expect(await request('changeMilestoneProgression', progression)).toEqual(['milestone-progression-created'])
  const later = { ...progression, transitionCondition: { intervalMinutes: 9 } }
  expect(await request('changeMilestoneProgression', later)).toEqual(['milestone-progression-updated'])
  expect(await request('deleteMilestoneProgression', { sourceMilestone })).toEqual(['milestone-progression-deleted'])
  const safeguard = {
    impactMetric: { metricName: 'errors' },
    triggerCondition: { operator: '>', threshold: 10 },
    action: { type: 'previousMilestone' },
  }
  expect(await request('changeSafeguard', { planId, safeguard })).toEqual(['safeguard-changed'])
  const [{ id: safeguardId } = { id: '' }] = (await readPlan()).safeguards
  expect(await request('deleteSafeguard', { planId, safeguardId })).toEqual(['safeguard-deleted'])
  await server.admin(`POST ${FLAG}/progressions/${planId}/pause`)
  expect(await request('resumeMilestoneProgression', { planId })).toEqual(['release-plan-progressions-resumed'])
  expect(await request('startMilestone', { planId, milestoneId })).toEqual([
    'release-plan-milestone-started',
    'feature-strategy-add',
    'feature-strategy-remove',
  ])
  expect(await request('deleteReleasePlan', { planId })).toEqual(['release-plan-removed', 'feature-strategy-remove'])
  expect(await readPlan()).toBeUndefined()
})

test('a payload without its plan is rejected', async () => {
  const change = { feature: 'flag', action: 'startMilestone', payload: { milestoneId: 'm' } }
  const url = `${PROJECT}/environments/production/change-requests`
  const reply = await server.call({ call: `POST ${url}`, body: change, ...people.as.author })
  expect([reply.statusCode, reply.body]).toEqual([400, expect.stringContaining('planId')])
})
