import { compile } from '@burgee/engine'
import { FLAG, type MetricSource, type MinuteReport } from './metric-reports.ts'
import type { SimulatedPlan } from './simulated-plan.ts'
import { startVirtualServer, type VirtualServer } from './virtual-server.ts'

/** Settings of a simulation. */
export interface SimulationInput {
  readonly plan: SimulatedPlan
  readonly source: MetricSource
  /** Maximum duration of the simulation, in minutes. */
  readonly minutes: number
}

/** Entry of the timeline, with the number of minutes since the start of the plan. */
export type TimelineEntry =
  | { readonly minute: number; readonly kind: 'milestone'; readonly milestone: string; readonly users: UserCounts }
  | { readonly minute: number; readonly kind: 'trip'; readonly safeguard: number; readonly trip: SimulatedTrip }
  | { readonly minute: number; readonly kind: 'paused' }
  | { readonly minute: number; readonly kind: 'off'; readonly users: UserCounts }

/** Number of sample users with the flag, and how many gained or lost it since the previous entry. */
export interface UserCounts {
  readonly withFlag: number
  readonly gained: number
  readonly lost: number
}

/** The event that a safeguard tripped. */
export interface SimulatedTrip {
  readonly value: number | null
  readonly threshold: number | null
  readonly detail: string | null
}

/** Values that a safeguard observed. */
export interface ObservedValues {
  readonly checks: number
  /** Number of checks for which there were not enough values. */
  readonly waiting: number
  readonly min: number | null
  readonly max: number | null
  readonly last: number | null
}

/** Result of a simulation. */
export interface SimulationResult {
  /** `unfinished`: the last milestone was not reached in time. */
  readonly outcome: 'completed' | 'tripped' | 'unfinished'
  readonly minutes: number
  /** Number of the active milestone at the end; the first one is 1. */
  readonly milestone: number
  readonly timeline: readonly TimelineEntry[]
  /** Observed values of each safeguard, in the order of the plan. */
  readonly safeguards: readonly ObservedValues[]
  /** True if, at the end, a safeguard still held back a milestone that was due, because it had too few values. */
  readonly isWaitingForValues: boolean
}

/** Number of sample users. Their user ids are the numbers from 1. */
export const SAMPLE_USERS = 1000
const MINUTE_MS = 60_000
/** Start of the plan: a Monday. */
const STARTS_AT = Date.parse('2027-01-04T00:00:00Z')
const FEATURES = 'projects/default/features'
const ENVIRONMENT = `${FEATURES}/${FLAG}/environments/production`

/** Runs a plan on a temporary server, minute by minute. Throws an Error if the server rejects the plan. */
export async function simulate(input: SimulationInput): Promise<SimulationResult> {
  const simulation = new Simulation(input)
  const server = await startVirtualServer(STARTS_AT, {
    onEvents: (events) => simulation.events.push(...events.map(({ type, data }) => ({ type, data: data as object }))),
    onSafeguardCheck: ({ id, value }) => simulation.observe(id, value),
  })
  try {
    return await simulation.run(server)
  } finally {
    await server.close()
  }
}

interface SimulationEvent {
  readonly type: string
  readonly data: object
}

/** Plan as the server returns it. */
interface PlanView {
  readonly id: string
  readonly activeMilestoneId: string | null
  readonly nextMilestoneAt: string | null
  readonly milestones: readonly { readonly id: string; readonly name: string }[]
}

interface Observed {
  checks: number
  waiting: number
  min: number
  max: number
  last: number | null
}

class Simulation {
  /** Events since the previous minute was handled. */
  readonly events: SimulationEvent[] = []
  readonly #input: SimulationInput
  readonly #timeline: TimelineEntry[] = []
  /** Observed values by the id of the safeguard, in the order of the plan. */
  readonly #observed = new Map<string, Observed>()
  #users: ReadonlySet<number> = new Set()

  constructor(input: SimulationInput) {
    this.#input = input
  }

  observe(id: string, value: number | undefined): void {
    const observed = this.#observed.get(id)
    if (observed === undefined) return
    observed.checks += 1
    if (value === undefined) {
      observed.waiting += 1
      return
    }
    observed.min = Math.min(observed.min, value)
    observed.max = Math.max(observed.max, value)
    observed.last = value
  }

  async run(server: VirtualServer): Promise<SimulationResult> {
    const { minutes } = this.#input
    let plan = await this.#prepare(server)
    this.events.length = 0
    await this.#addMilestone(server, { minute: 0, plan })
    let minute = 0
    let hasTripped = false
    while (minute < minutes && !hasTripped) {
      minute += 1
      server.clock.now = STARTS_AT + minute * MINUTE_MS
      const served = { milestone: this.#getIndex(plan) + 1, share: this.#users.size / SAMPLE_USERS }
      await send(server, this.#input.source.read(minute - 1, served))
      await server.applyDue()
      if (this.events.length === 0) continue
      plan = await readPlan(server)
      hasTripped = await this.#handleEvents(server, { minute, plan })
    }
    const milestone = this.#getIndex(plan) + 1
    const outcome = hasTripped ? 'tripped' : milestone === plan.milestones.length ? 'completed' : 'unfinished'
    const isWaitingForValues = outcome === 'unfinished' && Date.parse(plan.nextMilestoneAt ?? '') <= server.clock.now
    const safeguards = [...this.#observed.values()].map(toObservedValues)
    return { outcome, minutes: minute, milestone, timeline: this.#timeline, safeguards, isWaitingForValues }
  }

  /** Creates the flag with its plan and safeguards, and turns it on. */
  async #prepare(server: VirtualServer): Promise<PlanView> {
    const { name, milestones, safeguards } = this.#input.plan
    const template = (await server.admin('POST', 'release-plan-templates', { name, milestones })) as { id: string }
    await server.admin('POST', FEATURES, { name: FLAG })
    const { id } = (await server.admin('POST', `${ENVIRONMENT}/release-plans`, { templateId: template.id })) as PlanView
    for (const { id: _id, ...body } of safeguards) {
      const path = `${ENVIRONMENT}/release-plans/${id}/safeguards`
      const added = (await server.admin('PUT', path, body)) as { id: string }
      this.#observed.set(added.id, { checks: 0, waiting: 0, min: Infinity, max: -Infinity, last: null })
    }
    await server.admin('POST', `${ENVIRONMENT}/on`)
    return readPlan(server)
  }

  async #handleEvents(
    server: VirtualServer,
    at: { readonly minute: number; readonly plan: PlanView },
  ): Promise<boolean> {
    let hasTripped = false
    for (const { type, data } of this.events.splice(0)) {
      if (type === 'safeguard-tripped') {
        const { id, trip } = data as { id: string; trip: SimulatedTrip }
        const safeguard = [...this.#observed.keys()].indexOf(id)
        const { value, threshold, detail } = trip
        this.#timeline.push({ minute: at.minute, kind: 'trip', safeguard, trip: { value, threshold, detail } })
        hasTripped = true
      } else if (type === 'release-plan-progressions-paused') {
        this.#timeline.push({ minute: at.minute, kind: 'paused' })
      } else if (type === 'release-plan-milestone-started') await this.#addMilestone(server, at)
      else if (type === 'feature-environment-disabled') {
        this.#timeline.push({ minute: at.minute, kind: 'off', users: await this.#countUsers(server) })
      }
    }
    return hasTripped
  }

  async #addMilestone(
    server: VirtualServer,
    { minute, plan }: { readonly minute: number; readonly plan: PlanView },
  ): Promise<void> {
    const milestone = plan.milestones[this.#getIndex(plan)]?.name ?? ''
    this.#timeline.push({ minute, kind: 'milestone', milestone, users: await this.#countUsers(server) })
  }

  /** Evaluates the flag for the sample users with the document that SDKs download. */
  async #countUsers(server: VirtualServer): Promise<UserCounts> {
    const { document } = await server.features({ environment: 'production', projects: ['*'] })
    const { engine } = compile(document, { clock: () => server.clock.now })
    const before = this.#users
    const users = new Set<number>()
    for (let user = 1; user <= SAMPLE_USERS; user += 1) {
      if (engine.evaluate(FLAG, { userId: String(user) }).enabled) users.add(user)
    }
    this.#users = users
    const gained = [...users].filter((user) => !before.has(user)).length
    return { withFlag: users.size, gained, lost: before.size + gained - users.size }
  }

  #getIndex({ milestones, activeMilestoneId }: PlanView): number {
    return milestones.findIndex(({ id }) => id === activeMilestoneId)
  }
}

async function readPlan(server: VirtualServer): Promise<PlanView> {
  const [plan] = (await server.admin('GET', `${ENVIRONMENT}/release-plans`)) as PlanView[]
  if (plan === undefined) throw new Error('The plan has been removed')
  return plan
}

async function send(server: VirtualServer, report: MinuteReport | undefined): Promise<void> {
  if (report === undefined) return
  const { metrics, evaluations } = report
  const stop = new Date(server.clock.now).toISOString()
  const start = new Date(server.clock.now - MINUTE_MS).toISOString()
  const toggles = evaluations === undefined ? {} : { [FLAG]: { ...evaluations, variants: {} } }
  await server.report({ appName: 'simulated', bucket: { start, stop, toggles }, impactMetrics: metrics })
  await server.flush()
}

function toObservedValues({ checks, waiting, min, max, last }: Observed): ObservedValues {
  return { checks, waiting, min: last === null ? null : min, max: last === null ? null : max, last }
}
