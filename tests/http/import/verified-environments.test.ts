import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createUnleashStateSource } from '@burgee/import/unleash/documents/unleash-files'
import { buildSourceDocument } from '@burgee/import/verify/source-document'
import { SILENT } from '@burgee/kit/log/logger'
import { runImport } from '@burgee/server/boot/operator/import'
import { afterAll, expect, test } from 'vitest'
import { readyPlace } from '../../support/place.ts'
import { optionsOf } from '../scenario.ts'

const ENVIRONMENTS = ['e1', 'e2', 'e3', 'e4']
const AGE = { contextName: 'age', operator: 'NUM_GTE', value: '18' }
const STATE = {
  version: 4,
  features: [
    { name: 'same', project: 'default' },
    { name: 'other', project: 'default' },
  ],
  projects: [{ id: 'default', name: 'Default' }],
  environments: ENVIRONMENTS.map((name) => ({ name, type: 'test', enabled: true })),
  featureEnvironments: ENVIRONMENTS.flatMap((environment) =>
    ['same', 'other'].map((featureName) => ({ featureName, environment, enabled: true })),
  ),
  featureStrategies: ENVIRONMENTS.flatMap((environment) =>
    ['same', 'other'].map((featureName) => {
      const value = featureName === 'other' && environment === 'e3' ? '21' : '18'
      const constraints = [{ ...AGE, value }]
      const id = `${featureName} ${environment}`
      return { id, featureName, environment, strategyName: 'default', constraints }
    }),
  ),
}
const folder = mkdtempSync(join(tmpdir(), 'burgee-verified-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/**
 * Imports the state document and compares the result with the downloads of the source, in which some flags have
 * different strategies.
 */
async function verified(differing: (environment: string, flag: string) => boolean) {
  const path = join(folder, 'state.json')
  writeFileSync(path, JSON.stringify(STATE))
  const source = createUnleashStateSource({ path }, Date.now)
  const installation = await source.read()
  const served = async (environment: string) => {
    const { features, ...document } = buildSourceDocument(installation, environment)
    const own = features.map((flag) => (differing(environment, flag.name) ? { ...flag, strategies: [] } : flag))
    return { document: { ...document, features: own }, projects: ['*'] }
  }
  const place = await readyPlace()
  const key = { secretKey: Buffer.alloc(32, 7).toString('base64') }
  const options = optionsOf({ ...place.options, ...key })
  const deps = { options, clock: Date.now, random: randomBytes, logger: SILENT }
  const report = await runImport(
    deps,
    { ...source, served },
    {
      mode: 'fresh',
      events: 'none',
      integrationsOn: false,
      isTrial: false,
      closeUnguarded: false,
      progress: () => {},
      verify: { asked: { seed: 1, contexts: 50, nowMs: Date.now() }, progress: () => {} },
    },
  )
  return report.verified?.parts ?? []
}

test('a flag that is defined alike in several environments is evaluated in the first one only', async () => {
  const parts = await verified(() => false)
  expect(parts.map(({ environment, flags }) => [environment, [...flags].sort()])).toEqual(
    ENVIRONMENTS.map((environment) => [environment, ['other', 'same']]),
  )
  const [first = 0, ...others] = parts.map(({ aimed }) => aimed)
  expect(first).toBeGreaterThan(1)
  // only the flag `other` in the environment `e3` is defined differently
  expect(others).toEqual([0, first / 2, 0])
})

test('a difference in a later environment, and in each of several, is found', async () => {
  const parts = await verified((environment, flag) => flag === 'same' && environment !== 'e1' && environment !== 'e3')
  expect(parts.map(({ environment, differences }) => [environment, differences.map(({ flag }) => flag)])).toEqual([
    ['e1', []],
    ['e2', ['same']],
    ['e3', []],
    ['e4', ['same']],
  ])
})
