import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PROXY_HEADERS } from '../../support/proxy-headers.ts'
import { type EdgeScene, startScene } from './edge-scene.ts'

/** Pages for operators behind a reverse proxy. */
const OPENED = {
  DISABLE_TOKENS_ENDPOINT: 'false',
  DISABLE_FEATURES_ENDPOINT: 'false',
  DISABLE_METRICS_BATCH_ENDPOINT: 'false',
  DISABLE_INSTANCE_DATA_ENDPOINT: 'false',
}
const FORWARDED = { headers: { 'x-forwarded-for': '203.0.113.7' } }
const PAGES = ['metrics', 'info', 'tokens', 'features', 'metricsbatch', 'instancedata'].map((name) => {
  return { path: `/internal-backstage/${name}`, isHidden: true }
})
const PROBES = ['health', 'ready'].map((name) => ({ path: `/internal-backstage/${name}`, isHidden: false }))

let scene: EdgeScene
describe('by default', () => {
  beforeAll(async () => {
    scene = await startScene(OPENED)
  })
  afterAll(() => scene.close())

  test.each([...PAGES, ...PROBES])('hides $path from forwarded requests: $isHidden', async ({ path, isHidden }) => {
    expect((await scene.ask(`GET ${path}`)).status).toBe(200)
    const { status, json } = await scene.ask(`GET ${path}`, FORWARDED)
    expect(status).toBe(isHidden ? 404 : 200)
    if (isHidden) expect(json).toEqual({ explanation: `Cannot GET ${path}` })
  })

  test('hides every page below /internal-backstage that the description names, except the probes', async () => {
    const { json } = await scene.ask('GET /docs/openapi.json')
    const paths = Object.keys((json as { paths: object }).paths).filter((path) =>
      path.startsWith('/internal-backstage'),
    )
    expect(paths.toSorted()).toEqual([...PAGES, ...PROBES].map(({ path }) => path).toSorted())
  })

  test.each(PROXY_HEADERS)('hides metrics from a request with %s', async (name, value) => {
    expect((await scene.ask('GET /internal-backstage/metrics', { headers: { [name]: value } })).status).toBe(404)
  })
})

test('forwarded requests get metrics with FORWARDED_METRICS=true', async () => {
  const open = await startScene({ FORWARDED_METRICS: 'true' })
  try {
    expect((await open.ask('GET /internal-backstage/metrics', FORWARDED)).status).toBe(200)
  } finally {
    await open.close()
  }
})
