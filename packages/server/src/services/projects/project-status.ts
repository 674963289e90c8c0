import type { ProjectStatus, StageCounts, StageStay } from '@burgee/protocol/administration/project-status'
import type { Reader } from '../../store/database.ts'
import { flagsOf, healthOf, projectCounts } from '../../store/projects/project-counts.ts'
import { eventsByDay, type FlagLife, flagLives, resourcesOf } from '../../store/projects/project-status.ts'
import { stageNow, stageSteps } from '../usage/stage-views.ts'
import { requireProject } from './project-ref.ts'

const DAY_MS = 86_400_000
const YEAR_MS = 365 * DAY_MS
const MONTH_MS = 30 * DAY_MS

/** Stored names of lifecycle stages, keyed by the names used in the response. */
const STAGES = { initial: 'initial', preLive: 'pre-live', live: 'live', completed: 'completed' } as const

/** Returns the status of a project and its flags. Throws NotFoundError. */
export async function projectStatus(reader: Reader, id: string, now: number): Promise<ProjectStatus> {
  await requireProject(reader, id)
  const counts = (await projectCounts(reader, { now, userId: undefined }, id))(id)
  const lives = await flagLives(reader, id)
  const archived = lives.flatMap((life) => life.archived_at ?? [])
  const health = healthOf(counts)
  return {
    activityCountByDate: await eventsByDay(reader, id, now - YEAR_MS),
    resources: { ...(await resourcesOf(reader, id)), members: counts.members },
    health: { current: health },
    technicalDebt: { current: flagsOf(counts.types) === 0 ? 0 : 100 - health },
    lifecycleSummary: {
      initial: stayIn(lives, STAGES.initial),
      preLive: stayIn(lives, STAGES.preLive),
      live: stayIn(lives, STAGES.live),
      completed: stayIn(lives, STAGES.completed),
      archived: {
        currentFlags: archived.length,
        last30Days: archived.filter((at) => at >= now - MONTH_MS).length,
      },
    },
    staleFlags: { total: counts.types.reduce((sum, { stale, overdue }) => sum + stale + overdue, 0) },
  }
}

/** Counts flags by stage. */
export async function stageCounts(reader: Reader): Promise<StageCounts> {
  const stages = (await flagLives(reader)).map((life) => stageNow(life, life.stages).stage)
  const count = (wanted: string) => stages.filter((stage) => stage === wanted).length
  return {
    ...{ initial: count(STAGES.initial), preLive: count(STAGES.preLive), live: count(STAGES.live) },
    ...{ completed: count(STAGES.completed), archived: count('archived') },
  }
}

/** Counts the flags in a stage, and averages the days that flags spent there before leaving it. */
function stayIn(lives: readonly FlagLife[], stage: string): StageStay {
  const stays = lives.flatMap((life) => {
    const views = stageSteps(life, life.stages)
    const at = views.findIndex((view) => view.stage === stage)
    const [from, to] = [views[at], views[at + 1]]
    return from === undefined || to === undefined
      ? []
      : [Date.parse(to.enteredStageAt) - Date.parse(from.enteredStageAt)]
  })
  const days = stays.reduce((sum, ms) => sum + ms, 0) / stays.length / DAY_MS
  return {
    averageDays: stays.length === 0 ? null : Math.round(days * 10) / 10,
    currentFlags: lives.filter((life) => stageNow(life, life.stages).stage === stage).length,
  }
}
