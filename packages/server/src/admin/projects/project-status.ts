import type { ProjectStatus, StageCounts, StageDuration } from '@burgee/protocol/administration/project-status'
import type { Reader } from '@burgee/storage/database'
import { calculateHealth, countFlags, readProjectCounts } from '@burgee/storage/queries/projects/project-counts'
import {
  countEventsByDay,
  countResources,
  type FlagLifecycle,
  listFlagLifecycles,
} from '@burgee/storage/queries/projects/project-status'
import { requireProject } from '../../core/project-ref.ts'
import { getCurrentStage, listAdvancingStages } from '../usage/stage-views.ts'

const DAY_MS = 86_400_000
const YEAR_MS = 365 * DAY_MS
const MONTH_MS = 30 * DAY_MS

/** Stored names of lifecycle stages, keyed by their names in the response. */
const STAGES = { initial: 'initial', preLive: 'pre-live', live: 'live', completed: 'completed' } as const

/** Returns the status of a project and its flags. Throws NotFoundError. */
export async function readProjectStatus(reader: Reader, id: string, now: number): Promise<ProjectStatus> {
  await requireProject(reader, id)
  const counts = (await readProjectCounts(reader, { now, userId: undefined }, id))(id)
  const lives = await listFlagLifecycles(reader, id)
  const archived = lives.flatMap((life) => life.archived_at ?? [])
  const health = calculateHealth(counts)
  return {
    activityCountByDate: await countEventsByDay(reader, id, now - YEAR_MS),
    resources: { ...(await countResources(reader, id)), members: counts.members },
    health: { current: health },
    technicalDebt: { current: countFlags(counts.types) === 0 ? 0 : 100 - health },
    lifecycleSummary: {
      initial: getStageStay(lives, STAGES.initial),
      preLive: getStageStay(lives, STAGES.preLive),
      live: getStageStay(lives, STAGES.live),
      completed: getStageStay(lives, STAGES.completed),
      archived: {
        currentFlags: archived.length,
        last30Days: archived.filter((at) => at >= now - MONTH_MS).length,
      },
    },
    staleFlags: { total: counts.types.reduce((sum, { stale, overdue }) => sum + stale + overdue, 0) },
  }
}

/** Counts flags by stage. */
export async function readStageCounts(reader: Reader): Promise<StageCounts> {
  const stages = (await listFlagLifecycles(reader)).map((life) => getCurrentStage(life, life.stages).stage)
  const count = (wanted: string) => stages.filter((stage) => stage === wanted).length
  return {
    initial: count(STAGES.initial),
    preLive: count(STAGES.preLive),
    live: count(STAGES.live),
    completed: count(STAGES.completed),
    archived: count('archived'),
  }
}

/** Counts the flags in a stage, and averages how many days flags spent in the stage before they left it. */
function getStageStay(lives: readonly FlagLifecycle[], stage: string): StageDuration {
  const stays = lives.flatMap((life) => {
    const views = listAdvancingStages(life, life.stages)
    const at = views.findIndex((view) => view.stage === stage)
    const [from, to] = [views[at], views[at + 1]]
    return from === undefined || to === undefined
      ? []
      : [Date.parse(to.enteredStageAt) - Date.parse(from.enteredStageAt)]
  })
  const days = stays.reduce((sum, ms) => sum + ms, 0) / stays.length / DAY_MS
  return {
    averageDays: stays.length === 0 ? null : Math.round(days * 10) / 10,
    currentFlags: lives.filter((life) => getCurrentStage(life, life.stages).stage === stage).length,
  }
}
