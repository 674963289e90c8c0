import type { EvaluatedToggle, Toggles } from '@burgee/protocol/evaluation'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { KEY, startProxy, type TestProxy } from '../support/proxy.ts'
import { type FakeUpstream, startUpstream } from '../support/upstream.ts'
import { CASES, readSpecifications } from './specification.ts'

/**
 * Runs the client-specification over HTTP. The state in a case is the upstream of a real proxy, and the contexts of the
 * case are sent as requests.
 */
let played = 0

describe.each(readSpecifications())('$file', ({ document, tests, variantTests }) => {
  let upstream: FakeUpstream
  let proxy: TestProxy

  beforeAll(async () => {
    upstream = await startUpstream(document)
    proxy = await startProxy({ flagUrl: upstream.url, trustProxy: true })
  })
  afterAll(async () => {
    await proxy.close()
    await upstream.close()
  })

  /**
   * Requests one toggle by name. The list of all enabled toggles must agree with the result, unless the proxy generates
   * a session id.
   */
  const ask = async (toggle: string, context: object): Promise<EvaluatedToggle> => {
    const [listed] = await post({ context, toggles: [toggle] })
    const isOn = (await post({ context })).some((one) => one.name === toggle)
    if ('sessionId' in context) expect(isOn).toBe(listed?.enabled)
    played += 1
    return listed as EvaluatedToggle
  }
  const post = async (body: object): Promise<EvaluatedToggle[]> => {
    // a context without an address gets the caller's address, which no case contains
    const forwarded = { 'x-forwarded-for': '203.0.113.7' }
    const headers = { authorization: KEY, 'content-type': 'application/json', ...forwarded }
    const response = await fetch(`${proxy.url}/proxy`, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(response.status).toBe(200)
    return ((await response.json()) as Toggles).toggles
  }

  test.each(tests)('$description', async ({ toggleName, context, expectedResult }) => {
    expect((await ask(toggleName, context)).enabled).toBe(expectedResult)
  })

  test.each(variantTests)('$description', async ({ toggleName, context, expectedResult }) => {
    const { enabled, variant } = await ask(toggleName, context)
    expect(variant).toEqual({ feature_enabled: enabled, featureEnabled: enabled, ...expectedResult })
  })
})

afterAll(() => {
  process.stdout.write(`client-specification over HTTP: ${played} of ${CASES} cases played\n`)
  expect(played).toBe(CASES)
})
