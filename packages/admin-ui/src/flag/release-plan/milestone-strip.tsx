import type { ReleasePlan } from '@burgee/protocol/administration/release-plan'
import { Check } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useCatalogue, useFormat } from '../../text/texts.tsx'
import { useDuration } from '../../text/use-duration.ts'
import { getIntervalBefore, getMilestoneState, isPaused } from './plan-progress.ts'
import styles from './release-plan.module.css'
import { PLAN_TEXTS } from './texts.ts'

const MINUTE_MS = 60_000
const TICK_MS = 15_000

interface Props {
  readonly plan: ReleasePlan
  /** True if the flag is on in the environment. */
  readonly isOn: boolean
}

/** Milestones of a plan in order: which are done, since when one is active, and when the next one starts. */
export function MilestoneStrip({ plan, isOn }: Props) {
  const t = useCatalogue(PLAN_TEXTS)
  const now = useNow()
  const describe = useDescribeMilestone(plan, isOn)
  return (
    <ol className={styles.strip} aria-label={t.milestones}>
      {plan.milestones.map(({ id, name }, index) => {
        const state = getMilestoneState(plan, index)
        return (
          <li
            key={id}
            className={styles.step}
            data-state={state}
            {...(state === 'active' ? { 'aria-current': 'step' } : {})}
          >
            <span className={styles.mark} aria-hidden="true">
              {state === 'done' ? <Check size={13} strokeWidth={3} /> : index + 1}
            </span>
            <span className={styles.stepName}>{name}</span>
            <span className={styles.stepTime}>{describe(index, now)}</span>
          </li>
        )
      })}
    </ol>
  )
}

/** Returns a function that describes the time of a milestone, such as "since 2 hours" or "in 22 hours". */
function useDescribeMilestone(plan: ReleasePlan, isOn: boolean): (index: number, now: number) => string {
  const t = useCatalogue(PLAN_TEXTS)
  const { ago } = useFormat()
  const write = useDuration()
  const describeActive = (startedAt: string | null, now: number): string => {
    if (startedAt === null) return t.waitsForFlag
    const minutes = (now - Date.parse(startedAt)) / MINUTE_MS
    return minutes < 1 ? t.now : t.since(write(Math.floor(minutes)))
  }
  return (index, now) => {
    const state = getMilestoneState(plan, index)
    const minutes = getIntervalBefore(plan.milestones, index)
    if (state === 'done') return t.done
    if (state === 'active') return describeActive(plan.milestones[index]?.startedAt ?? null, now)
    if (minutes === null) return t.handNext
    if (state === 'later') return t.after(write(minutes))
    if (isPaused(plan)) return t.left
    if (plan.nextMilestoneAt === null) return isOn ? t.after(write(minutes)) : t.onceOn(write(minutes))
    return Date.parse(plan.nextMilestoneAt) - now < MINUTE_MS ? t.soon : ago(plan.nextMilestoneAt)
  }
}

/** Returns the current time in milliseconds, updated several times a minute. */
function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
