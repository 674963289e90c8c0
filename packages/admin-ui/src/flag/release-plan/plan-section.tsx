import type { AdminFeatureEnvironment } from '@burgee/protocol/admin-feature'
import type { Milestone, ReleasePlan } from '@burgee/protocol/administration/release-plan'
import { Badge, Button, Group, Title } from '@mantine/core'
import { Pause, Play, SkipBack, SkipForward } from 'lucide-react'
import { useState } from 'react'
import type { FlagEnvironment } from '../../api/flags.ts'
import { useMayChange } from '../../proposals/may-change.ts'
import { useCatalogue } from '../../text/texts.tsx'
import { lazyDialog } from '../../ui/loading/lazy-part.tsx'
import { type RowAction, RowMenu } from '../../ui/page/row-menu.tsx'
import { StrategySummary } from '../strategy-summary.tsx'
import { listMilestoneStrategies } from './milestone-edits.ts'
import { MilestoneStrip } from './milestone-strip.tsx'
import { findActiveIndex, getPlanStatus, isPaused } from './plan-progress.ts'
import styles from './release-plan.module.css'
import { SafeguardList } from './safeguards/safeguard-list.tsx'
import { PLAN_TEXTS } from './texts.ts'
import { usePlanActions } from './use-plan-actions.ts'

const ProgressionDialog = lazyDialog(
  'ProgressionDialog',
  async () => (await import('./progression-dialog.tsx')).ProgressionDialog,
)

interface Props {
  readonly place: FlagEnvironment
  readonly plan: ReleasePlan
  readonly environment: AdminFeatureEnvironment
  /** True if the plan is read-only. */
  readonly isFixed: boolean
}

/** Release plan of a flag in an environment: its progress, what its active milestone serves, and its buttons. */
export function PlanSection({ place, plan, environment, isFixed }: Props) {
  const t = useCatalogue(PLAN_TEXTS)
  const status = getPlanStatus(plan, environment.enabled)
  const active = plan.milestones[findActiveIndex(plan)]
  return (
    <section className={styles.plan} data-status={status} aria-label={t.plan(plan.name)}>
      <header className={styles.head}>
        <Title order={3} size="h5">
          {plan.name}
        </Title>
        <Badge variant="default" tt="none">
          {t.position(findActiveIndex(plan) + 1, plan.milestones.length)}
        </Badge>
        <span className={styles.status}>{t[status]}</span>
      </header>
      <MilestoneStrip plan={plan} isOn={environment.enabled} />
      {active !== undefined && (
        <div className={styles.serves}>
          <p className={styles.servesTitle}>{environment.enabled ? t.gets : t.would}</p>
          {listMilestoneStrategies(active, place.feature).map((strategy) => (
            <StrategySummary key={strategy.id} strategy={strategy} />
          ))}
        </div>
      )}
      <SafeguardList place={place} plan={plan} isFixed={isFixed} />
      {!isFixed && <PlanButtons place={place} plan={plan} />}
    </section>
  )
}

/** Buttons that start the next milestone, pause and resume a plan, and a menu of less frequent actions. */
function PlanButtons({ place, plan }: Pick<Props, 'place' | 'plan'>) {
  const t = useCatalogue(PLAN_TEXTS)
  const may = useMayChange(place.project)
  const actions = usePlanActions(place, plan)
  const [isTiming, setTiming] = useState(false)
  const index = findActiveIndex(plan)
  const previous = plan.milestones[index - 1]
  const next = plan.milestones[index + 1]
  const mayUpdate = may('UPDATE_FEATURE_STRATEGY', place)
  const mayRemove = may('DELETE_FEATURE_STRATEGY', place)
  const others = plan.milestones.filter((one, at) => at !== index && one !== previous && one !== next)
  const toMove = (one: Milestone): RowAction => {
    const text = t.startNext(one.name)
    return { label: text, text, act: () => actions.move(one) }
  }
  const changeTime = { label: t.changeTime, text: t.changeTime, act: () => setTiming(true) }
  const acts: RowAction[] = [
    ...(mayUpdate && next !== undefined ? [changeTime] : []),
    ...(mayUpdate ? others.map(toMove) : []),
    ...(mayRemove ? [{ label: t.remove, text: t.remove, isDanger: true, act: actions.remove }] : []),
  ]
  return (
    <Group gap="xs">
      {mayUpdate && next !== undefined && (
        <Button
          size="xs"
          leftSection={<SkipForward size={14} aria-hidden="true" />}
          onClick={() => void actions.move(next)}
        >
          {t.startNext(next.name)}
        </Button>
      )}
      {mayUpdate && <PauseButton isPaused={isPaused(plan)} canPause={next !== undefined} actions={actions} />}
      {mayUpdate && previous !== undefined && (
        <Button
          size="xs"
          variant="default"
          leftSection={<SkipBack size={14} aria-hidden="true" />}
          aria-label={t.backTo(previous.name)}
          title={t.backTo(previous.name)}
          onClick={() => void actions.move(previous)}
        >
          {t.back}
        </Button>
      )}
      <RowMenu label={t.more(plan.name)} acts={acts} />
      {isTiming && next !== undefined && <ProgressionDialog place={place} plan={plan} close={() => setTiming(false)} />}
    </Group>
  )
}

interface PauseProps {
  readonly isPaused: boolean
  /** False in the last milestone, which no other milestone follows. */
  readonly canPause: boolean
  readonly actions: ReturnType<typeof usePlanActions>
}

function PauseButton({ isPaused: hasPaused, canPause, actions: { pause, resume } }: PauseProps) {
  const t = useCatalogue(PLAN_TEXTS)
  if (!hasPaused && !canPause) return null
  const Icon = hasPaused ? Play : Pause
  const act = hasPaused ? resume : pause
  return (
    <Button size="xs" variant="default" leftSection={<Icon size={14} aria-hidden="true" />} onClick={() => void act()}>
      {hasPaused ? t.resume : t.pause}
    </Button>
  )
}
