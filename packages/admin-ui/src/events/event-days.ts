import type { Event } from '@burgee/protocol/event'

const MIN_RUN_LENGTH = 3
/** Types of events that are never folded, because each event of these types has its own details. */
const UNFOLDED = /^(feature-strategy-update$|setting-|change-request-|project-access-|user-updated$)/

/** Consecutive events of one type by the same author; usually just one event. */
export interface EventRun {
  /** Id of the oldest event, which does not change when newer events join the run. */
  readonly id: number
  /** Events in the run, newest first; at least one. */
  readonly events: readonly [Event, ...Event[]]
}

/** Events of one day in the user's time zone. */
export interface EventDay {
  /** Day as `2026-03-01`. */
  readonly day: string
  readonly runs: readonly EventRun[]
}

/** Groups events by local day, and folds three or more consecutive events of one type by one author. */
export function groupEvents(events: readonly Event[]): EventDay[] {
  const days = Map.groupBy(events, ({ createdAt }) => toLocalDay(new Date(createdAt)))
  return [...days].map(([day, ofDay]) => ({ day, runs: foldRuns(ofDay) }))
}

/** Returns a local day as `2026-03-01`. */
export function toLocalDay(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

function foldRuns(events: readonly Event[]): EventRun[] {
  const runs: [Event, ...Event[]][] = []
  for (const event of events) {
    const last = runs.at(-1)
    if (last !== undefined && isAlike(last[0], event)) last.push(event)
    else runs.push([event])
  }
  return runs.flatMap((run) => (run.length >= MIN_RUN_LENGTH ? [run] : run.map((event): [Event] => [event]))).map(toRun)
}

const toRun = (events: readonly [Event, ...Event[]]): EventRun => ({ id: events.at(-1)?.id ?? 0, events })

function isAlike(one: Event, other: Event): boolean {
  return (
    !UNFOLDED.test(one.type) &&
    one.type === other.type &&
    one.createdByUserId === other.createdByUserId &&
    one.createdBy === other.createdBy
  )
}
