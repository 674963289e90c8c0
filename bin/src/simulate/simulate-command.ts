import { type OptionTable, parseOptions } from '@burgee/kit/options/options'
import { httpUrl, inHeader, integer, list, text } from '@burgee/kit/options/parsers'
import { JSON_OPTION } from '../json-option.ts'
import type { CommandOutput } from '../running.ts'
import { createGeneratedSource, parseGenerated } from './generated-series.ts'
import { combineSources, type MetricSource } from './metric-reports.ts'
import { readRecordedSource } from './recorded-series.ts'
import { readPlanFile, readSafeguardFile, readServerPlan, type SimulatedPlan } from './simulated-plan.ts'
import { type SimulationResult, simulate } from './simulation.ts'
import { formatSimulation } from './simulation-text.ts'

/** Maximum simulated time: 31 days, in minutes. */
const MAX_MINUTES = 44_640
/** Time that is simulated after the start of the last milestone, in minutes. */
const LAST_MINUTES = 60
const MAX_SEED = 2 ** 32 - 1

/** Options of `burgee simulate`. */
export const SIMULATE_OPTIONS = {
  url: { parse: httpUrl, doc: 'Server that has the release template PLAN.' },
  token: { env: ['BURGEE_TOKEN'], parse: inHeader(text), secret: true, letter: 't', doc: 'Admin token of the server.' },
  safeguards: { parse: text, doc: 'JSON or YAML file with safeguards; by default those of the plan.' },
  series: {
    parse: list,
    isRepeatable: true,
    doc: 'File with recorded metrics: CSV, or replies of /api/admin/impact-metrics/data. Repeatable.',
  },
  generate: {
    parse: text,
    isRepeatable: true,
    doc: 'Generated metric, such as rate=10,before=1%,after=5%,from=2,noise=0.1. Repeatable.',
  },
  seed: { parse: integer(0, MAX_SEED), default: 1, doc: 'Seed of generated metrics.' },
  interval: { parse: integer(1, MAX_MINUTES), doc: 'Minutes after which a milestone that waits for a person ends.' },
  minutes: {
    parse: integer(1, MAX_MINUTES),
    defaultDoc: 'the intervals of the plan, and an hour',
    doc: 'Simulated time in minutes.',
  },
  ...JSON_OPTION,
} as const satisfies OptionTable

/** Exit code if a safeguard has tripped. */
const TRIPPED = 2
/** Exit code if the last milestone was not reached. */
const UNFINISHED = 3
const CODES: Readonly<Record<SimulationResult['outcome'], number>> = {
  completed: 0,
  tripped: TRIPPED,
  unfinished: UNFINISHED,
}

/**
 * Runs `burgee simulate PLAN [options]`: runs a release plan and its safeguards with recorded or generated metrics.
 * Returns code 0 if the last milestone was reached, 2 if a safeguard tripped and 3 otherwise.
 */
export async function runSimulate(argv: readonly string[]): Promise<CommandOutput> {
  const [place, ...rest] = argv
  if (place === undefined || place.startsWith('-')) {
    throw new Error('Name a file, or with --url a release template: burgee simulate PLAN [options]')
  }
  const { url, token, safeguards, series, generate, seed, interval, minutes, json } = parseOptions(SIMULATE_OPTIONS, {
    env: process.env,
    argv: rest,
  })
  const read = url === undefined ? await readPlanFile(place) : await readServerPlan({ url, token }, place)
  const own = safeguards === undefined ? read.safeguards : await readSafeguardFile(safeguards)
  const plan = withInterval({ ...read, safeguards: own }, interval)
  const source = await createSource({ plan, series, generate, seed })
  const result = await simulate({ plan, source, minutes: minutes ?? getMinutes(plan) })
  const code = CODES[result.outcome]
  if (json) return { code, text: JSON.stringify({ plan: plan.name, ...result }, undefined, 2) }
  return { code, text: formatSimulation(plan, result) }
}

function withInterval(plan: SimulatedPlan, intervalMinutes: number | undefined): SimulatedPlan {
  if (intervalMinutes === undefined) return plan
  const milestones = plan.milestones.map((milestone) => ({
    ...milestone,
    transitionCondition: milestone.transitionCondition ?? { intervalMinutes },
  }))
  return { ...plan, milestones }
}

/** Returns the time until one hour after the start of the last milestone. Throws an Error if this time is too long. */
function getMinutes({ milestones }: SimulatedPlan): number {
  const intervals = milestones.slice(0, -1).map(({ transitionCondition }) => transitionCondition?.intervalMinutes ?? 0)
  const minutes = intervals.reduce((sum, interval) => sum + Number(interval), LAST_MINUTES)
  if (minutes <= MAX_MINUTES) return minutes
  throw new Error(`The plan takes ${minutes} minutes, longer than ${MAX_MINUTES}. Simulate a part with --minutes`)
}

interface SourceInput {
  readonly plan: SimulatedPlan
  readonly series: readonly string[] | undefined
  readonly generate: string | undefined
  readonly seed: number
}

async function createSource({ plan, series, generate, seed }: SourceInput): Promise<MetricSource> {
  const defaultMetric = findMetric(plan) ?? 'errors'
  const sources: MetricSource[] = []
  for (const path of series ?? []) sources.push(await readRecordedSource(path, defaultMetric))
  const generated = generate === undefined ? [] : parseGenerated(generate, defaultMetric)
  for (const [index, metric] of generated.entries()) sources.push(createGeneratedSource(metric, seed + index))
  if (sources.length === 0) throw new Error('Give the metrics: --series FILE, or --generate rate=10,before=1%,after=5%')
  return combineSources(sources)
}

/** Returns the name of the first impact metric that a safeguard reads. */
function findMetric({ safeguards }: SimulatedPlan): string | undefined {
  const metrics = safeguards.map(({ impactMetric }) => impactMetric as Record<string, unknown> | undefined)
  const name = metrics.find((metric) => metric?.source !== 'alert')?.metricName
  return typeof name === 'string' ? name : undefined
}
