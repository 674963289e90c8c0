import * as fc from 'fast-check'
import type { TestServer } from '../scenario.ts'

/** Flag in an environment. */
export interface Place {
  readonly flag: string
  readonly environment: string
}

/** Random operation and its operands. */
export interface Step {
  readonly kind: string
  readonly flag: number
  readonly other: number
  readonly environment: number
  /** Index of a strategy, modulo the number of strategies. */
  readonly pick: number
  readonly strategy: number
  readonly isOn: boolean
}

/** Flags and projects of one random walk, and the project that each flag is currently in. */
export interface Walk {
  readonly server: TestServer
  readonly flags: readonly string[]
  readonly projects: readonly [string, string]
  readonly segment: number
  readonly projectOf: Map<string, string>
  readonly parentOf: Map<string, string>
}

/** Environments that each project has at the start of a walk. */
export const ENVIRONMENTS = ['development', 'production'] as const

const ONLY = (...values: string[]) => [{ contextName: 'userId', operator: 'IN', values }]
const rollout = (percent: string) => ({ rollout: percent, stickiness: 'userId', groupId: 'walk' })

/** Strategies for everyone, for some users and for no one, with and without segment `s`. */
const strategiesOf = (s: number) => [
  { name: 'flexibleRollout', parameters: rollout('1') },
  { name: 'flexibleRollout', parameters: rollout('50') },
  { name: 'flexibleRollout', parameters: rollout('100') },
  { name: 'flexibleRollout' },
  { name: 'flexibleRollout', parameters: rollout('100'), segments: [s] },
  { name: 'flexibleRollout', parameters: rollout('100'), constraints: ONLY('1', '2') },
  { name: 'flexibleRollout', parameters: rollout('50'), disabled: true },
  { name: 'userWithId', parameters: { userIds: '3' } },
  { name: 'default', disabled: true },
]

interface Stored {
  readonly id: string
  readonly constraints: readonly object[]
  readonly variants: readonly object[]
  readonly segments: readonly number[]
}

/** Operation in progress: the walk, the flag, the environment, and functions to send requests. */
class Operation {
  readonly walk: Walk
  readonly step: Step
  readonly flag: string
  readonly other: string
  readonly environment: string
  /** True if any of the operation's calls succeeded. */
  isDone = false

  constructor(walk: Walk, step: Step) {
    this.walk = walk
    this.step = step
    this.flag = walk.flags[step.flag % walk.flags.length] ?? ''
    this.other = walk.flags[step.other % walk.flags.length] ?? ''
    this.environment = ENVIRONMENTS[step.environment % ENVIRONMENTS.length] ?? ''
  }

  get project(): string {
    return this.walk.projectOf.get(this.flag) ?? this.walk.projects[0]
  }

  get strategy() {
    const all = strategiesOf(this.walk.segment)
    return all[this.step.strategy % all.length] ?? { name: 'default' }
  }

  /**
   * Sends a request as the administrator. Returns the JSON of the reply, or undefined if the request was rejected.
   * Throws on a server error.
   */
  async send(call: string, body?: unknown) {
    const [method, path] = call.split(' ') as [string, string]
    const url = path.replace(/^P/, `/api/admin/projects/${this.project}`).replace(/\/F\b/, `/features/${this.flag}`)
    const full = `${method} ${url.replace(/\/E\b/, `/environments/${this.environment}`)}`
    const reply = await this.walk.server.call({ as: 'admin', call: full, ...(body === undefined ? {} : { body }) })
    if (reply.statusCode >= 500) throw new Error(`${full} ${reply.statusCode} ${reply.body}`)
    if (reply.statusCode >= 300) return undefined
    this.isDone ||= method !== 'GET'
    return reply.body === '' ? {} : reply.json()
  }

  async stored(): Promise<Stored | undefined> {
    const all: Stored[] = (await this.send('GET P/F/E/strategies')) ?? []
    return all[this.step.pick % Math.max(1, all.length)]
  }

  /**
   * Returns the flag and its children, in this environment. A change that explicitly enables a flag may enable any of
   * them.
   */
  here(flag = this.flag): Place[] {
    const children = [...this.walk.parentOf].flatMap(([child, parent]) => (parent === flag ? [child] : []))
    return [flag, ...children].map((one) => ({ flag: one, environment: this.environment }))
  }

  everywhere(): Place[] {
    return ENVIRONMENTS.map((environment) => ({ flag: this.flag, environment }))
  }
}

/** Operation that is allowed to enable flags. Returns the flag environments that the operation may enable. */
type Opening = (operation: Operation) => Promise<readonly Place[] | undefined>
/** Operation that must not enable anything. */
type Quiet = (operation: Operation) => Promise<unknown>

/** Wraps a change of one existing strategy. */
const ofStrategy =
  <T>(act: (operation: Operation, stored: Stored, path: string) => Promise<T>) =>
  async (operation: Operation): Promise<T | undefined> => {
    const stored = await operation.stored()
    return stored && act(operation, stored, `P/F/E/strategies/${stored.id}`)
  }

/** Operations that may enable flags. */
const OPENING: Readonly<Record<string, Opening>> = {
  'turn on': async (o) => {
    await o.send(`POST P/F/E/on${o.step.isOn ? '?shouldActivateDisabledStrategies=true' : ''}`)
    return o.here()
  },
  'turn several on': async (o) => {
    const features = [o.flag, o.other]
    await o.send(`POST P/bulk_features/E/on?shouldActivateDisabledStrategies=${o.step.isOn}`, { features })
    return [...o.here(), ...o.here(o.other)]
  },
  'add a strategy': async (o) => {
    await o.send('POST P/F/E/strategies', o.strategy)
    return 'disabled' in o.strategy ? [] : o.here()
  },
  'replace a strategy': ofStrategy(async (o, _stored, path) => {
    await o.send(`PUT ${path}`, o.strategy)
    return o.here()
  }),
  'enable a strategy': ofStrategy(async (o, _stored, path) => {
    await o.send(`PATCH ${path}`, [{ op: 'replace', path: '/disabled', value: false }])
    return o.here()
  }),
  'set segments': ofStrategy(async (o, { id, segments }) => {
    const place = { projectId: o.project, environmentId: o.environment, strategyId: id }
    const isMore = segments.length > 0 && o.step.isOn
    await o.send('POST /api/admin/segments/strategies', { ...place, segmentIds: isMore ? [] : [o.walk.segment] })
    return isMore ? o.here() : []
  }),
  'give it a parent': async (o) => {
    const isOther = o.walk.parentOf.has(o.flag)
    if ((await o.send('POST P/F/dependencies', { feature: o.other })) !== undefined)
      o.walk.parentOf.set(o.flag, o.other)
    return isOther ? o.everywhere() : []
  },
  'take the parent away': async (o) => {
    if ((await o.send('DELETE P/F/dependencies')) !== undefined) o.walk.parentOf.delete(o.flag)
    return o.everywhere()
  },
}

/** Strategy operations that must not enable anything. */
const STRATEGIES: Readonly<Record<string, Quiet>> = {
  'remove a strategy': ofStrategy((o, _stored, path) => o.send(`DELETE ${path}`)),
  'disable a strategy': ofStrategy(async (o, { constraints, variants }, path) => {
    const disabled = { disabled: true, constraints, variants }
    if (o.step.isOn) await o.send(`PUT ${path}`, disabled)
    else await o.send(`PATCH ${path}`, [{ op: 'replace', path: '/disabled', value: true }])
  }),
  'edit a title': ofStrategy(async (o, { constraints, variants }, path) => {
    if (o.step.isOn) await o.send(`PUT ${path}`, { title: `t${o.step.pick}`, constraints, variants })
    else await o.send(`PATCH ${path}`, [{ op: 'add', path: '/title', value: `t${o.step.pick}` }])
  }),
  'say neither enabled nor disabled': ofStrategy(async (o, { constraints, variants }, path) => {
    if (o.step.isOn) await o.send(`PUT ${path}`, { disabled: null, constraints, variants })
    else await o.send(`PATCH ${path}`, [{ op: 'replace', path: '/disabled', value: null }])
  }),
  'sort strategies': async (o) => {
    const all: Stored[] = (await o.send('GET P/F/E/strategies')) ?? []
    const order = all.toReversed().map(({ id }, sortOrder) => ({ id, sortOrder }))
    if (order.length > 0) await o.send('POST P/F/E/strategies/set-sort-order', order)
  },
  'describe the segment': async (o) => {
    const body = { name: `s-${o.walk.flags[0]}`, constraints: ONLY('2', '4'), description: `d${o.step.pick}` }
    await o.send(`PUT /api/admin/segments/${o.walk.segment}`, body)
  },
}

/** Flag operations that must not enable anything. */
const FLAGS: Readonly<Record<string, Quiet>> = {
  'turn off': (o) => o.send('POST P/F/E/off'),
  'turn several off': (o) => o.send('POST P/bulk_features/E/off', { features: [o.flag, o.other] }),
  archive: async (o) => {
    if ((await o.send('DELETE P/F')) !== undefined) o.walk.parentOf.delete(o.flag)
  },
  'archive several': async (o) => {
    const features = [o.flag, o.other]
    if ((await o.send('POST P/archive', { features })) === undefined) return
    for (const name of features) o.walk.parentOf.delete(name)
  },
  revive: (o) => o.send(`POST /api/admin/archive/revive/${o.flag}`),
  'revive several': (o) => o.send('POST P/revive', { features: [o.flag, o.other] }),
  'delete and make anew': async (o) => {
    if ((await o.send('DELETE P/F')) !== undefined) o.walk.parentOf.delete(o.flag)
    await o.send(`DELETE /api/admin/archive/${o.flag}`)
    await o.send('POST P/features', { name: o.flag })
  },
  clone: async (o) => {
    // the name of the clone must be free, so the other flag is deleted first and its name is reused
    await o.send(`DELETE /api/admin/archive/${o.other}`)
    if ((await o.send('POST P/F/clone', { name: o.other })) === undefined) return
    o.walk.projectOf.set(o.other, o.project)
    const parent = o.walk.parentOf.get(o.flag)
    if (parent !== undefined) o.walk.parentOf.set(o.other, parent)
  },
  move: async (o) => {
    const [here, there] = o.walk.projects
    const newProjectId = o.project === here ? there : here
    if ((await o.send('POST P/F/changeProject', { newProjectId })) !== undefined) {
      o.walk.projectOf.set(o.flag, newProjectId)
    }
  },
  'edit a flag': async (o) => {
    const body = { description: `d${o.step.pick}`, type: 'experiment', stale: o.step.isOn }
    await o.send('PUT P/F', body)
  },
  'set variants': (o) => o.send('PUT P/F/E/variants', [{ name: `v${o.step.pick}`, weight: 1000 }]),
}

/** Project operations that must not enable anything. */
const PROJECTS: Readonly<Record<string, Quiet>> = {
  'take the environment away': (o) => o.send('DELETE P/E'),
  'give the environment back': async (o) => {
    await o.send('POST P/environments', { environment: o.environment })
  },
  'set the default strategy': async (o) => {
    const { disabled: _, ...body } = { disabled: false, ...o.strategy }
    await o.send('POST P/E/default-strategy', body)
  },
}

const QUIET: Readonly<Record<string, Quiet>> = { ...STRATEGIES, ...FLAGS, ...PROJECTS }

/** Names of all operations. */
export const KINDS = [...Object.keys(OPENING), ...Object.keys(QUIET)]

/** Sequences of operations that are of interest on the same flag environment. */
const SEQUENCES = [
  ['archive', 'revive'],
  ['archive several', 'revive several'],
  ['take the environment away', 'give the environment back'],
  ['remove a strategy', 'remove a strategy', 'remove a strategy'],
  ['disable a strategy', 'remove a strategy', 'remove a strategy'],
  ['clone', 'move', 'archive', 'revive'],
] as const

const alone = (acts: Readonly<Record<string, unknown>>) => fc.constantFrom(...Object.keys(acts).map((kind) => [kind]))

/**
 * Operations on one flag environment. The weights favor operations that enable flags, and there are few flag
 * environments. As a result, the other operations usually find something to change.
 */
const unitOf = fc.record({
  kinds: fc.oneof(
    { weight: 3, arbitrary: alone(OPENING) },
    { weight: 3, arbitrary: alone(STRATEGIES) },
    { weight: 2, arbitrary: alone(FLAGS) },
    { weight: 3, arbitrary: fc.constantFrom<readonly string[]>(...SEQUENCES) },
    alone(PROJECTS),
  ),
  flag: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat(2)),
  other: fc.nat(2),
  environment: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(ENVIRONMENTS.length - 1)),
  pick: fc.nat(5),
  strategy: fc.nat(strategiesOf(0).length - 1),
  isOn: fc.boolean(),
})

/** Random operations. */
export const stepsOf: fc.Arbitrary<Step[]> = fc
  .array(unitOf, { minLength: 8, maxLength: 12 })
  .map((units) => units.flatMap(({ kinds, ...rest }) => [...kinds].map((kind) => ({ kind, ...rest }))))

/**
 * Performs a step of the walk through the admin API. Returns the flag environments that the step may enable. Ignores
 * rejections.
 */
export async function take(walk: Walk, step: Step): Promise<{ opens: readonly Place[]; isDone: boolean }> {
  const operation = new Operation(walk, step)
  const opens = (await OPENING[step.kind]?.(operation)) ?? []
  await QUIET[step.kind]?.(operation)
  return { opens, isDone: operation.isDone }
}
