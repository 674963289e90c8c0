import { createRandom } from '@burgee/kit/seeded-random'
import { featureName } from '../seed.ts'
import { type Contestant, callAdmin, TOKENS } from './contestant.ts'
import type { Load } from './load.ts'
import { requestBytes } from './request.ts'

/** Environments that every server has after its first start. */
export const ENVIRONMENTS = ['development', 'production'] as const
type Environment = (typeof ENVIRONMENTS)[number]

/** Flags and strategies of one compared server, which the benchmark's requests to that server use. */
export interface ContestantData {
  /** Names of the flags, by number. Each flag is enabled in both environments and has one strategy in each of them. */
  readonly features: readonly string[]
  /** Ids of the strategies in production, by the number of their flag. */
  readonly strategies: readonly string[]
}

const PROJECT = '/api/admin/projects/default'
const TAGS = ['checkout', 'search', 'mobile', 'billing', 'internal']
const CONNECTIONS = 8
const SEED = 1

/** Returns the path of a flag in an environment. */
export const getEnvironmentPath = (feature: string, environment: Environment): string =>
  `${PROJECT}/features/${feature}/environments/${environment}`

/**
 * Fills a new server through its admin API, so that all servers have the same data. Flags have a description and a tag,
 * are enabled, and have a gradual rollout in each environment. Half of the flags have a constraint in their rollout.
 */
export async function fillAlike(contestant: Contestant, load: Load, count: number): Promise<ContestantData> {
  const features = Array.from({ length: count }, (_, index) => featureName(index))
  const send = async (requests: string[]) => {
    const slice = { port: contestant.port, first: 0, durationMs: 0, lanes: 1, connections: CONNECTIONS }
    const { statuses } = await load.play({ ...slice, requests, leastRequests: requests.length })
    const refused = Object.keys(statuses).filter((status) => !status.startsWith('2'))
    if (refused.length > 0) throw new Error(`${contestant.name} cannot be filled: ${JSON.stringify(statuses)}`)
  }
  await send(features.map(creation))
  await send(features.flatMap(strategies))
  await send(features.flatMap((feature) => ENVIRONMENTS.map((environment) => switching(feature, environment, true))))
  for (const [index, value] of TAGS.entries()) {
    const tagged = features.filter((_, number) => number % TAGS.length === index)
    const tags = { addedTags: [{ type: 'simple', value }], removedTags: [] }
    await callAdmin(contestant.port, 'PUT', 'projects/default/tags', { features: tagged, tags })
  }
  return { features, strategies: await strategyIds(contestant, features) }
}

/** Returns the request that enables or disables a flag. */
export function switching(feature: string, environment: Environment, isOn: boolean): string {
  const path = `${getEnvironmentPath(feature, environment)}/${isOn ? 'on' : 'off'}`
  return requestBytes({ method: 'POST', path, token: TOKENS.admin })
}

function creation(name: string, index: number): string {
  const body = { name, type: 'release', description: `What feature ${index} is for`, impressionData: false }
  return requestBytes({ method: 'POST', path: `${PROJECT}/features`, token: TOKENS.admin, body })
}

/** Returns a gradual rollout; every second flag has a constraint. */
export function createRollout(feature: string, index: number, rollout: number) {
  const random = createRandom(SEED + index)
  const values = Array.from({ length: 5 }, () => `user-${Math.floor(random() * 10_000)}`)
  const constraint = { contextName: 'userId', operator: 'IN', values, inverted: false, caseInsensitive: false }
  return {
    name: 'flexibleRollout',
    parameters: { rollout: String(rollout), stickiness: 'default', groupId: feature },
    constraints: index % 2 === 0 ? [constraint] : [],
  }
}

function strategies(feature: string, index: number): string[] {
  return ENVIRONMENTS.map((environment) =>
    requestBytes({
      method: 'POST',
      path: `${getEnvironmentPath(feature, environment)}/strategies`,
      token: TOKENS.admin,
      body: createRollout(feature, index, 1 + (index % 100)),
    }),
  )
}

async function strategyIds({ port }: Contestant, features: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const feature of features) {
    const path = `projects/default/features/${feature}/environments/production/strategies`
    const [first] = (await callAdmin(port, 'GET', path)) as { readonly id: string }[]
    ids.push(first?.id ?? '')
  }
  return ids
}
