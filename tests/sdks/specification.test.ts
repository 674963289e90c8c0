import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Decision } from './driver.ts'
import { isSame } from './expected-decisions.ts'
import { type Installation, startInstallation, TARGET_NAMES } from './installation.ts'
import leftOut from './left-out.json' with { type: 'json' }
import { meets } from './specification-flags.ts'

/** The flags of the client specification, created through the admin API and evaluated by the frontend APIs. */
const SDK = { language: '', version: '', profile: 'node', api: 'frontend' } as const
let installation: Installation

beforeAll(async () => {
  installation = await startInstallation()
})
afterAll(() => installation.close())

test('the admin API refuses, or stores with other weights, only the flags of left-out.json', () => {
  const { cases, refused } = installation.specification
  const changed = cases.filter((one) => !meets(installation.expected.decide(SDK, one.flag, one.context), one))
  expect({ refused, changed: [...new Set(changed.map(({ flag }) => flag))] }).toEqual(leftOut)
})

/** Contexts for which the frontend API generates no fields. */
const isComplete = (context: object) => 'userId' in context || 'sessionId' in context

test.for(TARGET_NAMES)('the frontend API of the %s decides the specification as SDKs do', async (name) => {
  const target = installation.targets.find((one) => one.name === name)
  const headers = { authorization: target?.frontendToken ?? '', 'content-type': 'application/json' }
  const wrong: string[] = []
  for (const { flag, context, title } of installation.specification.cases) {
    if (!isComplete(context)) continue
    const sent = { remoteAddress: '203.0.113.7', ...context }
    // server and edge evaluate flags for the environment of the token
    const decided = name === 'proxy' ? sent : { ...sent, environment: 'development' }
    const body = JSON.stringify({ context: sent })
    const reply = await fetch(`${target?.base}${target?.frontendPath}/all`, { method: 'POST', headers, body })
    const { toggles } = (await reply.json()) as { readonly toggles: readonly Toggle[] }
    const found = toggles.find((toggle) => toggle.name === flag)
    const decision: Decision = [
      found?.enabled === true,
      found?.variant.name ?? 'disabled',
      found?.variant.payload?.value ?? null,
    ]
    if (!isSame(decision, installation.expected.decide(SDK, flag, decided))) wrong.push(title)
  }
  expect(wrong).toEqual([])
})

interface Toggle {
  readonly name: string
  readonly enabled: boolean
  readonly variant: { readonly name: string; readonly payload?: { readonly value: string } }
}
