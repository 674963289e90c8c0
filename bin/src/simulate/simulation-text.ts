import { escapeNames } from '@burgee/kit/terminal-text'
import type { SimulatedPlan } from './simulated-plan.ts'
import { SAMPLE_USERS, type SimulationResult, type TimelineEntry, type UserCounts } from './simulation.ts'

const ACTIONS: Readonly<Record<string, string>> = {
  pauseReleasePlanProgressions: 'pauses the plan',
  previousMilestone: 'starts the previous milestone',
  disableEnvironment: 'turns the flag off',
}
const SAMPLE = SAMPLE_USERS.toLocaleString('en-US')

/** Formats a simulation for a terminal: the timeline, what each safeguard observed, and the result. */
export function formatSimulation(given: SimulatedPlan, result: SimulationResult): string {
  const plan = escapeNames(given)
  const safeguards = plan.safeguards.map(describeSafeguard)
  const { milestones, name } = plan
  const entries = escapeNames(result.timeline).map((entry) => formatEntry(entry, safeguards))
  const width = Math.max(...entries.map(({ time }) => time.length))
  const seen = safeguards.map((text, index) => `  ${text}: ${formatObserved(result, index)}`)
  return [
    `${name}: ${formatCount(milestones.length, 'milestone')}, ${formatCount(safeguards.length, 'safeguard')}`,
    '',
    ...entries.map(({ time, text }) => `  ${time.padStart(width)}  ${text}`),
    ...(seen.length === 0 ? [] : ['', 'Safeguards', ...seen]),
    '',
    formatOutcome(plan, result),
  ].join('\n')
}

function formatEntry(entry: TimelineEntry, safeguards: readonly string[]): { time: string; text: string } {
  return { time: formatTime(entry.minute), text: formatEntryText(entry, safeguards) }
}

function formatEntryText(entry: TimelineEntry, safeguards: readonly string[]): string {
  if (entry.kind === 'milestone') return `"${entry.milestone}" starts: ${formatUsers(entry.users)}`
  if (entry.kind === 'off') return `the flag is turned off: ${formatUsers(entry.users)}`
  if (entry.kind === 'paused') return 'the plan is paused'
  const { value, detail } = entry.trip
  const details = detail === null ? '' : ` (${detail})`
  return `safeguard trips: ${safeguards[entry.safeguard] ?? ''}; observed ${formatNumber(value)}${details}`
}

function formatUsers({ withFlag, gained, lost }: UserCounts): string {
  const changes = [gained > 0 ? `+${gained}` : '', lost > 0 ? `−${lost}` : ''].filter((text) => text !== '')
  const shown = changes.length === 0 ? '' : ` (${changes.join(', ')})`
  return `${withFlag.toLocaleString('en-US')} of ${SAMPLE} sample users have the flag${shown}`
}

/** Describes the condition and the action of a safeguard. */
function describeSafeguard({ impactMetric, triggerCondition, action }: Readonly<Record<string, unknown>>): string {
  const metric = (impactMetric ?? {}) as Record<string, unknown>
  const condition = triggerCondition as Record<string, unknown> | undefined
  const what = ACTIONS[String((action as Record<string, unknown> | undefined)?.type)] ?? ''
  if (metric.source === 'alert') return `alert ${String(metric.metricName)}, ${what}`
  const mode = metric.aggregationMode === undefined ? '' : ` ${String(metric.aggregationMode)}`
  const compared = condition?.compare === 'on-vs-off' ? ', users with the flag against the others' : ''
  const limit = `${String(condition?.operator)} ${String(condition?.threshold)}`
  return `${String(metric.metricName)}${mode} ${limit} in the last ${String(metric.timeRange ?? 'hour')}${compared}, ${what}`
}

function formatObserved({ safeguards }: SimulationResult, index: number): string {
  const { checks = 0, waiting = 0, min, max, last } = safeguards[index] ?? {}
  if (checks === 0) return 'not checked'
  if (last === null || last === undefined) return `${formatCount(checks, 'check')}, never enough values`
  const missing = waiting === 0 ? '' : `, ${waiting} without enough values`
  const range = `from ${formatNumber(min)} to ${formatNumber(max)}, last ${formatNumber(last)}`
  return `${formatCount(checks, 'check')}${missing}; ${range}`
}

function formatOutcome({ milestones }: SimulatedPlan, result: SimulationResult): string {
  const { outcome, minutes, milestone, isWaitingForValues } = result
  const where = `milestone ${milestone} of ${milestones.length}, "${milestones[milestone - 1]?.name ?? ''}"`
  const users = result.timeline.findLast((entry) => 'users' in entry)
  const served = users !== undefined && 'users' in users ? `${users.users.withFlag} of ${SAMPLE} sample users` : ''
  if (outcome === 'tripped') return `Tripped after ${formatTime(minutes)}, now in ${where}; ${served} have the flag.`
  if (outcome === 'completed')
    return `Completed: ${where} is active after ${formatTime(minutes)}; no safeguard tripped.`
  const why = isWaitingForValues
    ? 'a safeguard holds the plan, because it has too few values'
    : 'the simulated time is over'
  return `Not completed after ${formatTime(minutes)}: still in ${where}; ${why}.`
}

/** Formats minutes as hours and minutes, such as `1:05`. */
function formatTime(minutes: number): string {
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}

function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function formatNumber(value: number | null | undefined): string {
  return value === null || value === undefined ? 'nothing' : String(Number(value.toPrecision(4)))
}
