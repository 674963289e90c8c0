import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer } from '../scenario.ts'

/**
 * Flags of flagd, imported into a server and evaluated through OFREP. OFREP can return no value, so that the default in
 * the application's code applies.
 */
const FLAGS = {
  disabled: { state: 'DISABLED', variants: { on: true, off: false }, defaultVariant: 'on' },
  'without-default': {
    state: 'ENABLED',
    variants: { on: true, off: false },
    defaultVariant: null,
    targeting: { if: [{ '==': [{ var: 'plan' }, 'paid'] }, 'on', { '==': [{ var: 'plan' }, 'free'] }, 'off'] },
  },
  switch: { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'off' },
  colours: { state: 'ENABLED', variants: { red: 'r', green: 'g', blue: 'b' }, defaultVariant: 'red' },
  'disabled-colours': { state: 'DISABLED', variants: { red: 'r', green: 'g' }, defaultVariant: 'green' },
}
const FEATURES = '/api/admin/projects/default/features'

let here: TestServer
beforeAll(async () => {
  here = await startServer({})
  const content = JSON.stringify({ flags: FLAGS })
  const wish = { kind: 'flagd', project: 'default', environment: 'development', content }
  const { plan } = await here.admin('POST /api/admin/imports/plan', wish)
  const { verified } = await here.admin('POST /api/admin/imports', { ...wish, plan })
  expect(verified).toMatchObject({ equal: true, differences: [] })
})
afterAll(() => here.close())

const evaluate = async (flag: string, context: object = {}) => {
  const call = `POST /ofrep/v1/evaluate/flags/${encodeURIComponent(flag)}`
  const reply = await here.call({ as: 'client', call, body: { context } })
  expect(reply.statusCode).toBe(200)
  return reply.json().value
}

describe('values of flagd over OFREP', () => {
  test.each<[flag: string, context: object, value: unknown]>([
    ['disabled', {}, undefined],
    ['without-default', {}, undefined],
    ['without-default', { plan: 'trial' }, undefined],
    ['without-default', { plan: 'paid' }, true],
    ['without-default', { plan: 'free' }, false],
    ['switch', {}, false],
    ['colours', {}, 'r'],
    ['disabled-colours', {}, undefined],
  ])('%s for %j: %j', async (flag, context, value) => {
    expect(await evaluate(flag, context)).toBe(value)
  })

  test('variants without a rule are imported, so that the default can be changed by hand', async () => {
    const strategies = `${FEATURES}/colours/environments/development/strategies`
    const [only] = await here.admin(`GET ${strategies}`)
    const weights = (list: { name: string; weight: number }[]) =>
      Object.fromEntries(list.map(({ name, weight }) => [name, weight]))
    expect(weights(only.variants)).toEqual({ red: 1000, green: 0, blue: 0 })
    const variants = only.variants.map((one: { name: string }) => ({
      ...one,
      ...(one.name === 'blue' ? { weightType: 'variable', weight: 1000 } : { weightType: 'fix', weight: 0 }),
    }))
    await here.admin(`PUT ${strategies}/${only.id}`, { ...only, variants })
    expect(await evaluate('colours')).toBe('b')
  })

  test('a disabled flag has its default once it is switched on', async () => {
    for (const flag of ['disabled', 'disabled-colours'])
      await here.admin(`POST ${FEATURES}/${encodeURIComponent(flag)}/environments/development/on`)
    expect([await evaluate('disabled'), await evaluate('disabled-colours')]).toEqual([true, 'g'])
  })
})
