import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DescribedCalls, listWrites } from '../../support/described-writes.ts'
import { type EdgeScene, startScene } from './edge-scene.ts'

let scene: EdgeScene
beforeAll(async () => {
  scene = await startScene()
})
afterAll(() => scene.close())

type Bound =
  /** Reads only. */
  | 'nothing stored'
  /**
   * The route buffers a limited number of names, applications and counts (`tests/edge/usage`,
   * `packages/edge/src/usage`).
   */
  | 'usage bounds'
  /**
   * The route stores a limited number of tokens; before that, tokens wait in a queue in which each network has a quota
   * (`packages/edge/src/tokens`).
   */
  | 'token bounds'

const WRITES: Readonly<Record<string, Bound>> = {
  'POST /api/client/features': 'nothing stored',
  'POST /api/client/metrics': 'usage bounds',
  'POST /api/client/metrics/bulk': 'usage bounds',
  'POST /api/client/metrics/edge': 'usage bounds',
  'POST /api/client/register': 'usage bounds',
  'POST /api/frontend': 'usage bounds',
  'POST /api/frontend/all': 'usage bounds',
  'POST /api/frontend/all/client/metrics': 'usage bounds',
  'POST /api/frontend/all/client/register': 'usage bounds',
  'POST /api/frontend/client/metrics': 'usage bounds',
  'POST /api/frontend/client/register': 'usage bounds',
  'POST /api/frontend/features/{featureName}': 'usage bounds',
  'POST /api/proxy': 'usage bounds',
  'POST /api/proxy/all': 'usage bounds',
  'POST /api/proxy/all/client/metrics': 'usage bounds',
  'POST /api/proxy/all/client/register': 'usage bounds',
  'POST /api/proxy/client/metrics': 'usage bounds',
  'POST /api/proxy/client/register': 'usage bounds',
  'POST /api/proxy/features/{featureName}': 'usage bounds',
  'POST /edge/validate': 'token bounds',
  'POST /ofrep/v1/evaluate/flags': 'usage bounds',
  'POST /ofrep/v1/evaluate/flags/{key}': 'usage bounds',
  'POST /proxy': 'usage bounds',
  'POST /proxy/all': 'usage bounds',
  'POST /proxy/all/client/metrics': 'usage bounds',
  'POST /proxy/all/client/register': 'usage bounds',
  'POST /proxy/client/metrics': 'usage bounds',
  'POST /proxy/client/register': 'usage bounds',
}

test('each write of an edge has a bound', async () => {
  const { json } = await scene.ask('GET /docs/openapi.json')
  expect(listWrites(json as DescribedCalls)).toEqual(Object.keys(WRITES).sort())
})
