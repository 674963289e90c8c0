import type { AdminFeature, AdminFeatureEnvironment } from '@burgee/protocol/admin-feature'
import { Alert, Badge, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getReleasePlanQuery } from '../api/release-plans.ts'
import { FlagSwitch } from '../flags/flag-switch.tsx'
import { LateDeliveryChip } from '../fleet/late-delivery-chip.tsx'
import { DraftMark } from '../proposals/draft-mark.tsx'
import { GuardNote } from '../proposals/drafts.tsx'
import { useMayChange } from '../proposals/may-change.ts'
import { WeightBar } from '../strategy/weight-bar.tsx'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { lazyPart } from '../ui/loading/lazy-part.tsx'
import { ColumnButtons } from './column-buttons.tsx'
import { type DraggedStrategy, useCopyTarget } from './copying/strategy-drag.ts'
import { COPYING_TEXTS } from './copying/texts.ts'
import { useCopyStrategy } from './copying/use-strategy-copy.ts'
import { ParentNotes } from './dependencies/parent-notes.tsx'
import styles from './flag.module.css'
import { listStrategiesOutsidePlan } from './release-plan/strategies-outside-plan.ts'
import type { FlagPageSearch } from './search-params.ts'
import { StrategyCards } from './strategy-cards.tsx'
import { FLAG_TEXTS } from './texts.ts'
import { UsageLine } from './usage/usage-sparkline.tsx'

const PlanSection = lazyPart('PlanSection', async () => (await import('./release-plan/plan-section.tsx')).PlanSection)

/** Strategy that is being dragged, and the function that sets it. */
export interface StrategyDrag {
  readonly dragged: DraggedStrategy | undefined
  readonly put: (dragged: DraggedStrategy | undefined) => void
}

/** Properties of an environment's column. */
export interface ColumnProps {
  readonly flag: AdminFeature
  readonly environment: AdminFeatureEnvironment
  readonly go: (next: FlagPageSearch) => void
  readonly drag: StrategyDrag
}

/** Column of an environment: switch, usage, strategies and variants of a flag. */
export function EnvironmentColumn({ flag, environment, go, drag: { dragged, put } }: ColumnProps) {
  const t = useTexts(FLAG_TEXTS)
  const own = useCatalogue(COPYING_TEXTS)
  const may = useMayChange(flag.project)
  const { name, type, enabled, variants, lastSeenAt } = environment
  const place = { project: flag.project, feature: flag.name, environment: name }
  const plan = usePlan(flag, environment)
  const active = plan?.milestones.find(({ id }) => id === plan.activeMilestoneId) ?? plan?.milestones[0]
  const strategies = listStrategiesOutsidePlan(environment.strategies, active)
  const takes = (one: string) => may('CREATE_FEATURE_STRATEGY', { ...place, environment: one }) && !flag.archived
  const mayAdd = takes(name)
  const others = flag.environments.map((one) => one.name).filter((one) => one !== name && takes(one))
  const copy = useCopyStrategy(place)
  const target = useCopyTarget(mayAdd && dragged?.environment !== name ? dragged : undefined, (strategy) => {
    put(undefined)
    void copy(strategy, name)
  })
  return (
    <section
      className={styles.column}
      aria-labelledby={`environment-${name}`}
      data-environment-type={type}
      data-taking={target['data-takes'] === undefined ? undefined : own.copyTo(name)}
      {...target}
    >
      <ColumnHead flag={flag} environment={environment} />
      {!flag.archived && <DraftMark {...place} enabled={enabled} />}
      <UsageLine {...place} lastSeenAt={lastSeenAt} />
      <GuardNote {...place} />
      <ParentNotes flag={flag} environment={environment} />
      {enabled && !flag.archived && environment.strategies.every(({ disabled }) => disabled) && (
        <Alert color="red" role="alert" title={t.flag.unguarded}>
          {environment.strategies.length === 0 ? t.flag.unguardedOpen : t.flag.unguardedOff}
        </Alert>
      )}
      {plan && <PlanSection place={place} plan={plan} environment={environment} isFixed={flag.archived} />}
      {strategies.length === 0 && !plan && (
        <p className={styles.none}>{enabled ? t.flag.noStrategiesOn : t.flag.noStrategiesOff}</p>
      )}
      {strategies.length > 0 && (
        <StrategyCards
          place={place}
          strategies={strategies}
          isOn={enabled && !plan}
          isFixed={flag.archived}
          edit={(id) => go({ env: name, strategy: id })}
          copies={{ targets: others, copy, drag: (strategy) => put(strategy && { environment: name, strategy }) }}
        />
      )}
      {variants.length > 0 && (
        <div className={styles.variants}>
          <Title order={3} size="h6">
            {t.flag.variants}
          </Title>
          <WeightBar variants={variants} />
        </div>
      )}
      <ColumnButtons flag={flag} environment={environment} go={go} mayAdd={mayAdd} hasPlan={plan !== null} />
    </section>
  )
}

/**
 * Returns the release plan of a flag in an environment; null if there is none, undefined while unknown. Every milestone
 * has a strategy, so a flag without strategies has no plan.
 */
function usePlan({ project, name: feature, archived }: AdminFeature, { name, strategies }: AdminFeatureEnvironment) {
  const isPossible = !archived && strategies.length > 0
  const { data } = useQuery({
    ...getReleasePlanQuery({ project, feature, environment: name }),
    enabled: isPossible,
  })
  return isPossible ? data : null
}

function ColumnHead({ flag, environment }: Pick<ColumnProps, 'flag' | 'environment'>) {
  const t = useTexts(FLAG_TEXTS)
  const { name, type, enabled, strategies } = environment
  const place = { project: flag.project, feature: flag.name, environment: name }
  const hasOnlyDisabled = strategies.length > 0 && strategies.every(({ disabled }) => disabled)
  return (
    <header className={styles.columnHead}>
      <Title order={2} size="h4" id={`environment-${name}`}>
        {name}
      </Title>
      {type === 'production' && name !== type && (
        <Badge variant="outline" color="red" size="sm" tt="none" className={styles.production ?? ''}>
          {t.flag.production}
        </Badge>
      )}
      <span className={styles.grow} />
      {!flag.archived && <LateDeliveryChip place={place} environment={environment} />}
      {!flag.archived && (
        <FlagSwitch {...place} environmentType={type} enabled={enabled} hasOnlyDisabled={hasOnlyDisabled} size="lg" />
      )}
    </header>
  )
}
