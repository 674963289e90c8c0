import type { FlagSnapshot, SegmentSnapshot } from '@burgee/protocol/administration/flag-history'
import type { Scenario, TestServer } from '../scenario.ts'

/** Existing projects and environments. */
export interface Places {
  readonly environments: readonly string[]
  readonly projects: readonly string[]
}

/** Existing data that a change can choose from, and functions to request more. */
export interface Surroundings {
  readonly places: Places
  readonly flags: ReadonlyMap<string, FlagSnapshot>
  readonly segments: ReadonlyMap<number, SegmentSnapshot>
  readonly call: TestServer['call']
}

type Call = Pick<Scenario, 'call' | 'body'>

const A = '/api/admin'
const NAMES = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta']
const TAGS = ['red', 'blue', 'green'] as const
const EXTRA = ['stage', 'canary']
const TYPE = 'team'

/** Random choices. */
class Picker {
  readonly #roll: () => number

  constructor(roll: () => number) {
    this.#roll = roll
  }

  number(below: number): number {
    return Math.floor(this.#roll() * below)
  }

  yes(chance = 0.5): boolean {
    return this.#roll() < chance
  }

  one<T>(list: readonly T[]): T | undefined {
    return list[this.number(list.length)]
  }

  some<T>(list: readonly T[]): T[] {
    return list.filter(() => this.yes())
  }
}

/** Operands of a change: the existing data, one flag, and one of its environments. */
interface Made extends Surroundings {
  readonly pick: Picker
  readonly flag: FlagSnapshot
  /** Paths of the flag (`F`) and of the flag in the environment (`E`). */
  readonly F: string
  readonly E: string
  readonly environment: FlagSnapshot['environments'][number]
}

type Make = (made: Made) => Call | undefined | Promise<Call | undefined>

function strategy({ pick, segments }: Made): Record<string, unknown> {
  const rollout = String(pick.number(101))
  return {
    name: pick.yes(0.8) ? 'flexibleRollout' : 'userWithId',
    ...(pick.yes(0.3) ? { title: `title ${pick.number(9)}` } : {}),
    ...(pick.yes(0.2) ? { disabled: true } : {}),
    ...(pick.yes(0.4) ? { sortOrder: pick.number(3) } : {}),
    parameters: pick.yes() ? { rollout } : { rollout, stickiness: 'userId', groupId: 'g' },
    constraints: pick.yes(0.6)
      ? []
      : [{ contextName: 'country', operator: 'IN', values: ['no', 'se'].slice(pick.number(2)) }],
    segments: pick.some([...segments.values()].filter(({ project }) => project === null).map(({ id }) => id)),
    variants: pick.yes(0.7) ? [] : variants(pick),
  }
}

function variants(pick: Picker): Record<string, unknown>[] {
  return ['v', 'w', 'x'].slice(pick.number(3)).map((name) => ({
    name,
    weight: pick.number(1000),
    stickiness: 'userId',
    ...(pick.yes() ? { payload: { type: 'string', value: `p${pick.number(5)}` } } : {}),
  }))
}

const other = ({ pick, flags, flag }: Made): FlagSnapshot | undefined =>
  pick.one([...flags.values()].filter(({ name }) => name !== flag.name))

/** Changes of one flag. Changes that should occur often are listed repeatedly. */
const OF_FLAG: readonly Make[] = [
  ({ F, pick }) => ({
    call: `PUT ${F}`,
    body: {
      ...(pick.yes() ? { description: pick.one([null, 'a', 'b']) } : {}),
      ...(pick.yes() ? { type: pick.one(['release', 'experiment']) } : {}),
      ...(pick.yes() ? { impressionData: pick.yes() } : {}),
      ...(pick.yes(0.3) ? { stale: pick.yes() } : {}),
    },
  }),
  ({ F, pick }) => (pick.yes(0.5) ? { call: `DELETE ${F}` } : undefined),
  ({ flag }) => ({ call: `POST ${A}/archive/revive/${flag.name}` }),
  ({ flag, pick }) => (pick.yes(0.5) ? { call: `DELETE ${A}/archive/${flag.name}` } : undefined),
  ...Array.from(
    { length: 3 },
    (): Make =>
      ({ E, pick }) => ({ call: `POST ${E}/${pick.yes() ? 'on' : 'off'}` }),
  ),
  ({ E }) => ({ call: `POST ${E}/on?shouldActivateDisabledStrategies=true` }),
  ...Array.from({ length: 4 }, (): Make => (made) => ({ call: `POST ${made.E}/strategies`, body: strategy(made) })),
  ...Array.from(
    { length: 3 },
    (): Make => (made) => {
      const own = made.pick.one(made.environment.strategies)
      return own && { call: `PUT ${made.E}/strategies/${own.id}`, body: strategy(made) }
    },
  ),
  ({ E, environment, pick }) => {
    const own = pick.one(environment.strategies)
    const body = [{ op: 'replace', path: '/sortOrder', value: pick.number(3) }]
    return own && { call: `PATCH ${E}/strategies/${own.id}`, body }
  },
  ...Array.from(
    { length: 2 },
    (): Make =>
      ({ E, environment, pick }) => {
        const own = pick.one(environment.strategies)
        return own && { call: `DELETE ${E}/strategies/${own.id}` }
      },
  ),
  ({ E, environment, pick }) => ({
    call: `POST ${E}/strategies/set-sort-order`,
    body: pick.some(environment.strategies).map(({ id }) => ({ id, sortOrder: pick.number(4) })),
  }),
  ({ flag, environment, segments, pick }) => {
    const own = pick.one(environment.strategies)
    const wide = [...segments.values()].filter(({ project }) => project === null).map(({ id }) => id)
    const place = { projectId: flag.project, environmentId: environment.name, strategyId: own?.id }
    return own && { call: `POST ${A}/segments/strategies`, body: { ...place, segmentIds: pick.some(wide) } }
  },
  ({ E, pick }) => ({ call: `PUT ${E}/variants`, body: pick.yes(0.3) ? [] : variants(pick) }),
  ({ F, flag, pick }) => ({
    call: `PUT ${F}/variants-batch`,
    body: { environments: pick.some(flag.environments).map(({ name }) => name), variants: variants(pick) },
  }),
  ...Array.from(
    { length: 2 },
    (): Make =>
      ({ flag, pick }) => ({
        call: `POST ${A}/features/${flag.name}/tags`,
        body: { type: pick.yes() ? 'simple' : TYPE, value: pick.one(TAGS) },
      }),
  ),
  ({ flag, pick }) => {
    const tag = pick.one(flag.tags)
    return tag && { call: `DELETE ${A}/features/${flag.name}/tags/${tag.type}/${tag.value}` }
  },
  ...Array.from(
    { length: 2 },
    (): Make => (made) => ({
      call: `POST ${made.F}/dependencies`,
      body: { feature: other(made)?.name ?? 'none', enabled: made.pick.yes(0.8), variants: [] },
    }),
  ),
  ({ F, flag, pick }) => {
    const [parent] = flag.dependencies
    return parent && { call: `DELETE ${F}/dependencies${pick.yes() ? `/${parent.feature}` : ''}` }
  },
  ({ F, pick }) => ({ call: `POST ${F}/link`, body: { url: `https://example.com/${pick.number(9)}`, title: 'x' } }),
  ({ F, flag, pick }) => {
    const link = pick.one(flag.links)
    return link && { call: `PUT ${F}/link/${link.id}`, body: { url: `https://example.com/${pick.number(99)}` } }
  },
  ({ F, flag, pick }) => {
    const link = pick.one(flag.links)
    return link && { call: `DELETE ${F}/link/${link.id}` }
  },
  ...Array.from(
    { length: 2 },
    (): Make =>
      ({ F, places, pick }) => ({
        call: `POST ${F}/changeProject`,
        body: { newProjectId: pick.one(places.projects) },
      }),
  ),
  ({ F, pick }) => ({ call: `POST ${F}/clone`, body: { name: pick.one(NAMES) } }),
  async ({ flag, environment, pick, call, places }) => {
    const wanted = { environment: environment.name, features: [flag.name] }
    const data = (await call({ as: 'admin', call: `POST ${A}/features-batch/export`, body: wanted })).json()
    const project = pick.one(places.projects)
    const target = pick.one(flag.environments)?.name
    return { call: `POST ${A}/features-batch/import`, body: { project, environment: target, data } }
  },
]

const namesIn = ({ flags, flag, pick }: Made): string[] =>
  pick.some([...flags.values()].filter(({ project }) => project === flag.project).map(({ name }) => name))

/** Changes of several flags at once, and of shared objects. */
const OF_MANY: readonly Make[] = [
  ...Array.from(
    { length: 8 },
    (): Make =>
      ({ pick, places }) => ({
        call: `POST ${A}/projects/${pick.one(places.projects)}/features`,
        body: {
          name: pick.one(NAMES),
          ...(pick.yes() ? { description: 'new' } : {}),
          ...(pick.yes(0.3) ? { tags: [{ type: 'simple', value: 'red' }] } : {}),
        },
      }),
  ),
  (made) => ({
    call: `POST ${A}/projects/${made.flag.project}/bulk_features/environments/${made.environment.name}/${made.pick.yes() ? 'on' : 'off'}`,
    body: { features: namesIn(made) },
  }),
  (made) => ({
    call: `POST ${A}/projects/${made.flag.project}/stale`,
    body: { features: namesIn(made), stale: made.pick.yes() },
  }),
  (made) => ({
    call: `POST ${A}/projects/${made.flag.project}/archive`,
    body: { features: namesIn(made).slice(0, 2) },
  }),
  (made) => ({ call: `POST ${A}/projects/${made.flag.project}/revive`, body: { features: namesIn(made) } }),
  (made) => ({ call: `POST ${A}/projects/${made.flag.project}/delete`, body: { features: namesIn(made).slice(0, 2) } }),
  (made) => {
    const tag = () => ({ type: 'simple', value: made.pick.one(TAGS) })
    const tags = { addedTags: [tag()], removedTags: made.pick.yes() ? [tag()] : [] }
    return { call: `PUT ${A}/projects/${made.flag.project}/tags`, body: { features: namesIn(made), tags } }
  },
  ({ pick }) => ({ call: `DELETE ${A}/tags/simple/${pick.one(TAGS)}` }),
  ({ pick }) => (pick.yes() ? { call: `DELETE ${A}/tag-types/${TYPE}` } : undefined),
  ...Array.from({ length: 2 }, (): Make => () => ({ call: `POST ${A}/tag-types`, body: { name: TYPE } })),
  ...Array.from(
    { length: 2 },
    (): Make =>
      ({ pick, flag, places }) => ({
        call: `POST ${A}/projects/${flag.project}/environments`,
        body: { environment: pick.one(places.environments) },
      }),
  ),
  ({ flag, environment, pick }) =>
    pick.yes(0.7) ? { call: `DELETE ${A}/projects/${flag.project}/environments/${environment.name}` } : undefined,
  ({ pick, environment }) => ({
    call: `POST ${A}/environments/${environment.name}/clone`,
    body: { name: pick.one(EXTRA), type: 'test', cloneEnabled: pick.yes() },
  }),
  ({ pick }) => (pick.yes(0.3) ? { call: `DELETE ${A}/environments/${pick.one(EXTRA)}` } : undefined),
  ...Array.from(
    { length: 2 },
    (): Make =>
      ({ pick }) => ({
        call: `POST ${A}/segments`,
        body: { name: `s${pick.number(5)}`, constraints: [] },
      }),
  ),
  ...Array.from(
    { length: 2 },
    (): Make =>
      ({ pick, segments }) => {
        const segment = pick.one([...segments.values()])
        const values = [String(pick.number(9))]
        const body = { name: segment?.name, constraints: [{ contextName: 'userId', operator: 'IN', values }] }
        return segment && { call: `PUT ${A}/segments/${segment.id}`, body }
      },
  ),
  ...Array.from(
    { length: 2 },
    (): Make =>
      ({ pick, segments }) => {
        const segment = pick.one([...segments.values()])
        return segment && { call: `DELETE ${A}/segments/${segment.id}` }
      },
  ),
]

const NOTHING = { name: 'none', project: 'default', environments: [] } as unknown as FlagSnapshot

/** Returns a random change, or undefined if there is nothing that it could act on. */
export async function flagChanges(roll: () => number, seen: Surroundings): Promise<Call | undefined> {
  const pick = new Picker(roll)
  const flag = pick.one([...seen.flags.values()]) ?? NOTHING
  const environment = pick.one(flag.environments) ?? {
    name: 'development',
    enabled: false,
    strategies: [],
    variants: [],
  }
  const F = `${A}/projects/${flag.project}/features/${flag.name}`
  const made = { ...seen, pick, flag, environment, F, E: `${F}/environments/${environment.name}` }
  const isOfFlag = seen.flags.size > 2 && pick.yes(0.7)
  return pick.one(isOfFlag ? OF_FLAG : OF_MANY)?.(made)
}
