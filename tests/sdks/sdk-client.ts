import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import type { Context } from '@burgee/protocol/context'
import { until } from '../support/wait.ts'
import type { ClientOptions, Decision, Driver } from './driver.ts'
import type { Installation, Target } from './installation.ts'
import type { ObservedRequest, ObservingRelay } from './observing-relay.ts'
import scenarioFile from './scenarios.json' with { type: 'json' }
import type { SdkVersion } from './sdk-versions.ts'

/** One SDK version at one target. */
export interface Scene {
  readonly sdk: SdkVersion
  readonly target: Target
  readonly installation: Installation
  readonly driver: Driver
  readonly relay: ObservingRelay
  readonly folder: string
}

/** SDK client that a driver runs. */
export interface SdkClient {
  readonly appName: string
  ask(flag: string, times?: number): Promise<boolean>
  /** Waits until a flag is on or off. */
  waitFor(flag: string, isEnabled: boolean): Promise<void>
  decide(flags: readonly string[], contexts: readonly Context[]): Promise<readonly (readonly Decision[])[]>
  measure(name: string): Promise<void>
}

/** Maximum time of a poll, a report or a reconnection on a busy machine. */
export const LIMIT_MS = 60_000
const USER = { userId: 'user-1', sessionId: 'session-1', properties: {} }

/** Starts a client, uses it and stops it. */
export async function withClient<T>(
  scene: Scene,
  name: string,
  more: Partial<ClientOptions>,
  play: (client: SdkClient) => Promise<T>,
): Promise<T> {
  const { driver } = scene
  const client = `${name}-${randomUUID()}`
  const options = { ...createOptions(scene, name), ...more }
  mkdirSync(options.folder, { recursive: true })
  await driver.send({ do: 'start', client, ...options })
  const ask = async (flag: string, times = 1) => {
    const { isEnabled } = await driver.send({ do: 'ask', client, flag, context: USER, times })
    return isEnabled === true
  }
  try {
    return await play({
      appName: options.appName,
      ask,
      waitFor: async (flag, isEnabled) => {
        await until(async () => (await ask(flag)) === isEnabled, LIMIT_MS)
      },
      decide: async (flags, contexts) => (await driver.send({ do: 'decide', client, flags, contexts })).decisions ?? [],
      measure: async (metric) => {
        await driver.send({ do: 'measure', client, name: metric })
      },
    })
  } finally {
    await driver.send({ do: 'stop', client })
  }
}

function createOptions(scene: Scene, name: string): ClientOptions {
  const { sdk, target, relay, installation, folder } = scene
  const paths = { client: target.path, frontend: target.frontendPath, ofrep: '' }
  return {
    url: `${relay.url}${paths[sdk.api]}`,
    token: sdk.api === 'client' ? installation.clientToken : target.frontendToken,
    appName: createName(scene, name),
    instanceId: 'one',
    intervalSeconds: scenarioFile.intervalSeconds,
    folder,
  }
}

/** Returns a name that only this SDK version at this target uses. */
export function createName({ sdk, target }: Scene, name: string): string {
  return `${name}-${sdk.package}-${sdk.version}-${target.name}`.replaceAll(/[^\w.-]/g, '-')
}

/** Creates a flag that only this scene uses, and that is on for everyone. Returns its name. */
export async function addOwnFlag(scene: Scene, name: string, project?: string): Promise<string> {
  const flag = createName(scene, name)
  await scene.installation.addFlag(flag, project === undefined ? {} : { project })
  return flag
}

/** Lists the requests for flags that all clients of this scene have sent from a given position on. */
export function fetchesSince({ relay, sdk, target }: Scene, position: number): readonly ObservedRequest[] {
  const isFetch = ({ path }: ObservedRequest) => {
    if (sdk.api === 'client') return /\/client\/(features|delta|streaming)/.test(path)
    return path.startsWith(target.frontendPath) && !path.includes('/client/')
  }
  return relay.listSince(position).filter(isFetch)
}
