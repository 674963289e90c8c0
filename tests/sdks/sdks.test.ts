import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/burgee.ts'
import { startDriver } from './driver.ts'
import { type Installation, startInstallation, TARGET_NAMES } from './installation.ts'
import { listKnownFaults } from './known-faults.ts'
import { openObservingRelay } from './observing-relay.ts'
import { PLAYS, type Scenario } from './play-scenarios.ts'
import { noteResult, saveResults } from './results.ts'
import scenarioFile from './scenarios.json' with { type: 'json' }
import type { Scene } from './sdk-client.ts'
import { SDK_VERSIONS, type SdkVersion } from './sdk-versions.ts'
import { type DriverCommand, installIfPossible } from './toolchains.ts'

/** Official SDKs of several languages against server, edge and proxy. Every skipped version or target is printed. */
const RUN_LIMIT_MS = 600_000
const LOG_LINES = 10
const folder = temporaryFolder()
let installation: Installation

beforeAll(async () => {
  installation = await startInstallation()
  await installation.admin('POST', 'projects', { id: 'shop', name: 'Shop' })
}, RUN_LIMIT_MS)
afterAll(async () => {
  await installation.close()
  folder.remove()
  saveResults(SDK_VERSIONS)
  for (const [language, ms] of spentMs) process.stdout.write(`${language}: ${(ms / 60_000).toFixed(1)} minutes\n`)
})

/** Time of each language, added up over its versions and targets, which run concurrently. */
const spentMs = new Map<string, number>()

const installed = new Map<SdkVersion, Promise<DriverCommand | undefined>>()
function install(sdk: SdkVersion): Promise<DriverCommand | undefined> {
  const name = `${sdk.language} ${sdk.package} ${sdk.version}`
  const running = installed.get(sdk) ?? installIfPossible(name, sdk.toolchain, sdk.version)
  installed.set(sdk, running)
  return running
}

const isPossible = ({ needs = [], targets = [...TARGET_NAMES] }: Scenario, { features }: SdkVersion, target: string) =>
  (needs as readonly string[]).every((need) => (features as readonly string[]).includes(need)) &&
  (targets as readonly string[]).includes(target)

/** Plays one scenario. Returns `passed`, or a description of the error. */
async function play(scene: Scene, scenario: Scenario): Promise<string> {
  const known = listKnownFaults(scene.sdk, scenario.name, scene.target.name)
  const logged = scene.target.readLog().length
  try {
    const wrong = (await PLAYS[scenario.name]?.(scene, scenario)) ?? []
    const certain = known.filter(({ isByChance }) => isByChance !== true)
    const missing = certain.filter(({ flags }) => flags.length === 0 || flags.some((flag) => !wrong.includes(flag)))
    if (missing.length > 0) return `a known fault does not show: ${missing.map(({ text }) => text).join(' ')}`
    const explained = known.flatMap(({ flags }) => flags)
    const unexplained = wrong.filter((flag) => !explained.includes(flag))
    if (unexplained.length > 0) return `wrong decisions: ${unexplained.join(', ')}`
    return known.length > 0 ? 'known' : 'passed'
  } catch (error) {
    if (known.some(({ flags }) => flags.length === 0)) return 'known'
    const message = error instanceof Error ? error.message : String(error)
    return [message, ...listNewLines(scene, logged)].join('\n')
  }
}

/** Returns the last lines that the target has logged since a given position. */
function listNewLines({ target }: Scene, position: number): readonly string[] {
  return target.readLog().slice(position).trim().split('\n').slice(-LOG_LINES)
}

describe.concurrent.for(SDK_VERSIONS)('$language $package $version', (sdk) => {
  test.for(TARGET_NAMES)('plays all scenarios at the %s', { timeout: RUN_LIMIT_MS }, async (name, { skip }) => {
    const startMs = performance.now()
    const driverCommand = await install(sdk)
    if (driverCommand === undefined) return skip('the reason is printed')
    const { command, env } = driverCommand
    const target = installation.targets.find((one) => one.name === name)
    if (target === undefined) throw new Error(`No ${name}`)
    const own = join(folder.path, `${sdk.package}-${sdk.version}-${name}`.replaceAll('/', '-'))
    mkdirSync(own, { recursive: true })
    const relay = await openObservingRelay(target.base)
    const driver = startDriver(command, env)
    const outcomes: Record<string, string> = {}
    try {
      for (const scenario of scenarioFile.scenarios.filter((one) => isPossible(one, sdk, name))) {
        outcomes[scenario.name] = await play({ sdk, target, installation, driver, relay, folder: own }, scenario)
      }
    } finally {
      await driver.end()
      await relay.close()
      spentMs.set(sdk.language, (spentMs.get(sdk.language) ?? 0) + performance.now() - startMs)
    }
    const wrong = Object.entries(outcomes).filter(([, outcome]) => outcome !== 'passed' && outcome !== 'known')
    expect(Object.fromEntries(wrong)).toEqual({})
    noteResult(sdk, name, outcomes)
  })
})
