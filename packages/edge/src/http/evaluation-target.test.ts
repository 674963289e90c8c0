import { SILENT } from '@burgee/kit/log/logger'
import { createRequestedNamesOwner } from '@burgee/serving/usage/name-budget'
import { expect, test, vi } from 'vitest'
import type { EdgeToken } from '../tokens/edge-token.ts'
import { type EvaluationWorld, edgeTargets } from './evaluation-target.ts'

const TOKEN = { id: 'hash', environment: 'development', projects: ['*'] } as unknown as EdgeToken
const NOW = 1000

/** Returns the target of a token, and the calls that count usage. */
async function targetOf(token: EdgeToken) {
  const count = vi.fn()
  const world = {
    frontends: { stateFor: () => ({}) },
    ofrepStreams: { waitForTag: () => undefined },
    usage: { count },
    evaluations: { add: vi.fn() },
    decisions: { record: vi.fn() },
    trust: false,
    clock: () => NOW,
    logger: SILENT,
  } as unknown as EvaluationWorld
  return { target: await edgeTargets(world).frontend(token), count, world }
}

test.each([
  ['a flag counts without a quota', true, undefined],
  ['a name that is no flag counts towards the quota of its token', false, createRequestedNamesOwner('hash')],
])('%s', async (_name, isFlag, owner) => {
  const { target, count } = await targetOf(TOKEN)
  target.bucket?.count('checkout', true, isFlag)
  const counted = { name: 'checkout', at: NOW, yes: 1, no: 0, variants: {} }
  expect(count.mock.calls).toEqual([[{ lane: TOKEN, owner }, 'frontend-api', [counted]]])
})

test('a flag that is off counts as no', async () => {
  const { target, count } = await targetOf(TOKEN)
  target.bucket?.count('checkout', false, true)
  expect(count.mock.calls[0]?.[2]).toEqual([{ name: 'checkout', at: NOW, yes: 0, no: 1, variants: {} }])
})

test.each([
  ['the token of an environment sends its decisions', 'development', true],
  ['the token of a test run sends none', 'development!1', false],
])('%s, and evaluations count for the base environment', async (_name, environment, isSent) => {
  const { target, world } = await targetOf({ ...TOKEN, environment })
  target.evaluations?.add(3)
  expect(world.evaluations.add).toHaveBeenCalledWith(3, { environment: 'development' })
  expect(target.onDecision !== undefined).toBe(isSent)
})
