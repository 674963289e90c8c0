import { parseFile } from '@burgee/import/unleash/documents/read-document'
import { isObject } from '@burgee/kit/input/is-object'
import { downloadJson, StatusError, toApiUrl } from '../evaluate/feature-documents.ts'

/** Plan to simulate: the request body of a release template, and the request bodies of safeguards. */
export interface SimulatedPlan {
  readonly name: string
  readonly milestones: readonly SimulatedMilestone[]
  readonly safeguards: readonly Readonly<Record<string, unknown>>[]
}

/** Milestone of a template. */
export interface SimulatedMilestone {
  readonly name: string
  readonly transitionCondition: { readonly intervalMinutes: number } | null
  readonly strategies: readonly Readonly<Record<string, unknown>>[]
}

/** Server from which the template is read. */
export interface TemplateServer {
  readonly url: string
  readonly token: string | undefined
}

const LIMIT_MS = 15_000
/** Properties of a strategy that are accepted in a template. */
const STRATEGY = ['strategyName', 'sortOrder', 'title', 'parameters', 'constraints', 'variants', 'segments']

/** Reads a plan from a JSON or YAML file. Throws an Error that names the invalid part. */
export async function readPlanFile(path: string): Promise<SimulatedPlan> {
  const value = await parseFile({ path })
  if (!isObject(value)) throw new Error(`${path} does not contain an object with "milestones"`)
  return toPlan(value, path)
}

/** Reads safeguards from a JSON or YAML file: a list, or an object with the list `safeguards`. */
export async function readSafeguardFile(path: string): Promise<SimulatedPlan['safeguards']> {
  const value = await parseFile({ path })
  return listObjects(isObject(value) ? value.safeguards : value, `"safeguards" of ${path}`)
}

/** Reads a template from a server, by name or id. Replaces segments with their constraints. Throws an Error. */
export async function readServerPlan({ url, token }: TemplateServer, nameOrId: string): Promise<SimulatedPlan> {
  const get = async (path: string) => {
    const address = toApiUrl(url)
    address.pathname = `${address.pathname}/admin/${path}`
    return downloadJson(address, { token, limitMs: LIMIT_MS }).catch((error: unknown) => {
      if (!(error instanceof StatusError) || !error.isRefusal) throw error
      throw new Error(`${url} rejected the token: give an admin token with --token or BURGEE_TOKEN`)
    })
  }
  const templates = listObjects(await get('release-plan-templates'), 'the list of templates')
  const found = templates.find(({ id, name }) => id === nameOrId || name === nameOrId)
  if (found === undefined) throw new Error(`${url} has no release template "${nameOrId}"`)
  const plan = toPlan(found, `the template "${nameOrId}"`)
  const segments = new Map<unknown, unknown[]>()
  for (const { strategies } of plan.milestones) {
    for (const id of strategies.flatMap((strategy) => (Array.isArray(strategy.segments) ? strategy.segments : []))) {
      if (segments.has(id)) continue
      const segment = await get(`segments/${Number(id)}`)
      segments.set(id, isObject(segment) && Array.isArray(segment.constraints) ? segment.constraints : [])
    }
  }
  return { ...plan, milestones: plan.milestones.map((milestone) => withoutSegments(milestone, segments)) }
}

function withoutSegments(milestone: SimulatedMilestone, segments: ReadonlyMap<unknown, unknown[]>): SimulatedMilestone {
  const strategies = milestone.strategies.map(({ segments: ids, constraints, ...rest }) => {
    const own = Array.isArray(constraints) ? constraints : []
    const added = (Array.isArray(ids) ? ids : []).flatMap((id) => segments.get(id) ?? [])
    return { ...rest, constraints: [...own, ...added] }
  })
  return { ...milestone, strategies }
}

function toPlan({ name, milestones, safeguards }: Readonly<Record<string, unknown>>, source: string): SimulatedPlan {
  const list = listObjects(milestones, `"milestones" of ${source}`)
  if (list.length === 0) throw new Error(`"milestones" of ${source} is empty`)
  return {
    name: typeof name === 'string' ? name : 'Plan',
    milestones: list.map((milestone, index) => toMilestone(milestone, { index, source })),
    safeguards: safeguards === undefined ? [] : listObjects(safeguards, `"safeguards" of ${source}`),
  }
}

function toMilestone(
  { name, transitionCondition, strategies }: Readonly<Record<string, unknown>>,
  { index, source }: { readonly index: number; readonly source: string },
): SimulatedMilestone {
  const own = listObjects(strategies ?? [], `"strategies" of milestone ${index + 1} of ${source}`)
  const condition = isObject(transitionCondition) ? (transitionCondition as { intervalMinutes: number }) : null
  return {
    name: typeof name === 'string' ? name : `Milestone ${index + 1}`,
    transitionCondition: condition,
    strategies: own.map((strategy) => Object.fromEntries(STRATEGY.flatMap((key) => listEntry(strategy, key)))),
  }
}

function listEntry(strategy: Readonly<Record<string, unknown>>, key: string): [string, unknown][] {
  return strategy[key] === undefined ? [] : [[key, strategy[key]]]
}

function listObjects(value: unknown, what: string): Readonly<Record<string, unknown>>[] {
  if (Array.isArray(value) && value.every(isObject)) return value
  throw new Error(`${what} must be a list of objects`)
}
