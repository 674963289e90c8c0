import type { AdminFeature, AdminFeatureEnvironment } from '@burgee/protocol/admin-feature'
import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import { Alert, Badge, Button, Group, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { getReleasePlanQuery } from '../api/release-plans.ts'
import { FlagSwitch } from '../flags/flag-switch.tsx'
import { LateDeliveryChip } from '../fleet/late-delivery-chip.tsx'
import { PROMOTION_TEXTS } from '../promotion/texts.ts'
import { DraftMark } from '../proposals/draft-mark.tsx'
import { GuardNote } from '../proposals/drafts.tsx'
import { useMayChange } from '../proposals/may-change.ts'
import { WeightBar } from '../strategy/weight-bar.tsx'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { lazyDialog, lazyPart } from '../ui/loading/lazy-part.tsx'
import { LinkButton } from '../ui/page/link-button.tsx'
import { type DraggedStrategy, useCopyTarget } from './copying/strategy-drag.ts'
import { COPYING_TEXTS } from './copying/texts.ts'
import { useCopyStrategy } from './copying/use-strategy-copy.ts'
import { ParentNotes } from './dependencies/parent-notes.tsx'
import { chooseEnvironment, needsChoice, sortProductionFirst } from './environments/chosen-environment.ts'
import { EnvironmentRail } from './environments/environment-rail.tsx'
import rail from './environments/rail.module.css'
import styles from './flag.module.css'
import { START_PLAN_TEXTS } from './release-plan/start-texts.ts'
import { listStrategiesOutsidePlan } from './release-plan/strategies-outside-plan.ts'
import type { FlagPageSearch } from './search-params.ts'
import { StrategyCards } from './strategy-cards.tsx'
import { FLAG_TEXTS } from './texts.ts'
import { UsageLine } from './usage/usage-sparkline.tsx'

const StrategyEditor = lazyDialog(
  'StrategyEditor',
  async () => (await import('../strategy/strategy-editor.tsx')).StrategyEditor,
)
const PromotePanel = lazyDialog(
  'PromotePanel',
  async () => (await import('../promotion/promote-panel.tsx')).PromotePanel,
)
const VariantsEditor = lazyDialog(
  'VariantsEditor',
  async () => (await import('./variants/variants-editor.tsx')).VariantsEditor,
)
const StartPlanPanel = lazyDialog(
  'StartPlanPanel',
  async () => (await import('./release-plan/start-plan-panel.tsx')).StartPlanPanel,
)
const PlanSection = lazyPart('PlanSection', async () => (await import('./release-plan/plan-section.tsx')).PlanSection)
const route = getRouteApi('/app/projects/$project/features/$feature')

/**
 * Environments of a flag with their strategies, production first. If there are two environments, they are shown side by
 * side. If there are more, one of them is shown next to a list of all.
 */
export function EnvironmentColumns({ flag }: { flag: AdminFeature }) {
  const t = useTexts(FLAG_TEXTS)
  const search = route.useSearch()
  const navigate = useNavigate()
  const { project, name: feature } = flag
  const environments = sortProductionFirst(flag.environments)
  const isChoice = needsChoice(environments)
  const go = (next: FlagPageSearch): void =>
    void navigate({ to: '/projects/$project/features/$feature', params: { project, feature }, search: next })
  const edited = environments.find(({ name }) => name === search.env)
  const place = { project, feature, environment: edited?.name ?? '' }
  const close = (): void => go(isChoice && edited !== undefined ? { env: edited.name } : {})
  const may = useMayChange(project)
  const needed = search.strategy === 'new' ? 'CREATE_FEATURE_STRATEGY' : 'UPDATE_FEATURE_STRATEGY'
  const mayEdit = edited !== undefined && !flag.archived && may(needed, place)
  const drag = useStrategyDrag(flag)
  const mayAddPlan = !flag.archived && may('CREATE_FEATURE_STRATEGY', place)
  const mayVary = edited !== undefined && !flag.archived && may('UPDATE_FEATURE_ENVIRONMENT_VARIANTS', place)
  return (
    <>
      {environments.length > 1 && !isChoice && !flag.archived && <CompareLink project={project} feature={feature} />}
      {isChoice ? (
        <ChosenEnvironment flag={flag} sorted={environments} wanted={search.env} go={go} drag={drag} />
      ) : (
        <div className={styles.columns}>
          {environments.map((environment) => (
            <EnvironmentColumn key={environment.name} flag={flag} environment={environment} go={go} drag={drag} />
          ))}
        </div>
      )}
      {environments.length === 0 && <p>{t.flag.noEnvironments}</p>}
      {mayEdit && search.strategy !== undefined && (
        <StrategyEditor
          key={search.strategy}
          place={place}
          id={search.strategy === 'new' ? undefined : search.strategy}
          close={close}
        />
      )}
      {edited !== undefined && mayAddPlan && search.plan === true && (
        <StartPlanPanel flag={flag} place={place} close={close} />
      )}
      {mayVary && search.variants === true && <VariantsEditor flag={flag} environment={edited} close={close} />}
    </>
  )
}

interface ChosenProps extends Omit<ColumnProps, 'environment'> {
  /** Environments in the order of the list. */
  readonly sorted: readonly AdminFeatureEnvironment[]
  /** Name of the environment in the URL. */
  readonly wanted: string | undefined
}

/** List of all environments, and the chosen environment next to it. */
function ChosenEnvironment({ flag, sorted, wanted, go, drag }: ChosenProps) {
  const chosen = chooseEnvironment(sorted, wanted)
  const may = useMayChange(flag.project)
  const place = { project: flag.project, feature: flag.name, environment: chosen?.name ?? '' }
  const copy = useCopyStrategy(place)
  const drop = (environment: string) => {
    if (flag.archived || !may('CREATE_FEATURE_STRATEGY', { ...place, environment })) return undefined
    return (strategy: AdminStrategy): void => {
      drag.put(undefined)
      void copy(strategy, environment)
    }
  }
  if (chosen === undefined) return null
  return (
    <div className={rail.layout}>
      <EnvironmentRail flag={flag} environments={sorted} chosen={chosen.name} dragged={drag.dragged} drop={drop}>
        {!flag.archived && <CompareLink project={flag.project} feature={flag.name} />}
      </EnvironmentRail>
      <EnvironmentColumn key={chosen.name} flag={flag} environment={chosen} go={go} drag={drag} />
    </div>
  )
}

interface StrategyDrag {
  readonly dragged: DraggedStrategy | undefined
  readonly put: (dragged: DraggedStrategy | undefined) => void
}

/** Returns the dragged strategy while it exists: if its element is removed, no `dragend` event arrives. */
function useStrategyDrag({ environments }: AdminFeature): StrategyDrag {
  const [dragged, put] = useState<DraggedStrategy>()
  const source = environments.find(({ name }) => name === dragged?.environment)
  const isThere = source?.strategies.some(({ id }) => id === dragged?.strategy.id) === true
  return { dragged: isThere ? dragged : undefined, put }
}

function CompareLink({ project, feature }: { project: string; feature: string }) {
  const t = useCatalogue(PROMOTION_TEXTS)
  return (
    <Group className={styles.compare ?? ''}>
      <LinkButton to="/projects/$project/compare" params={{ project }} search={{ flags: feature, equal: true }}>
        {t.compareEnvironments}
      </LinkButton>
    </Group>
  )
}

interface ColumnProps {
  readonly flag: AdminFeature
  readonly environment: AdminFeatureEnvironment
  readonly go: (next: FlagPageSearch) => void
  readonly drag: StrategyDrag
}

function EnvironmentColumn({ flag, environment, go, drag: { dragged, put } }: ColumnProps) {
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
      <ColumnFoot flag={flag} environment={environment} go={go} mayAdd={mayAdd} hasPlan={plan !== null} />
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

interface FootProps extends Omit<ColumnProps, 'drag'> {
  readonly mayAdd: boolean
  /** True if the flag has a release plan, and also while this is unknown. */
  readonly hasPlan: boolean
}

/** Buttons that add strategies, a release plan and variants to an environment. */
function ColumnFoot({ flag, environment, go, mayAdd, hasPlan }: FootProps) {
  const t = useTexts(FLAG_TEXTS)
  const plans = useCatalogue(START_PLAN_TEXTS)
  const may = useMayChange(flag.project)
  const { name, variants } = environment
  const place = { project: flag.project, feature: flag.name, environment: name }
  return (
    <Group gap="xs" mt="auto">
      {mayAdd && (
        <Button
          variant="light"
          size="xs"
          aria-label={t.flag.addStrategyIn(name)}
          onClick={() => go({ env: name, strategy: 'new' })}
        >
          + {t.flag.addStrategy}
        </Button>
      )}
      {mayAdd && !hasPlan && (
        <Button
          variant="subtle"
          size="xs"
          aria-label={plans.startIn(name)}
          onClick={() => go({ env: name, plan: true })}
        >
          {plans.start}
        </Button>
      )}
      {may('UPDATE_FEATURE_ENVIRONMENT_VARIANTS', place) && !flag.archived && (
        <Button variant="subtle" size="xs" onClick={() => go({ env: name, variants: true })}>
          {variants.length === 0 ? t.flag.addVariants : t.flag.editVariants}
        </Button>
      )}
      {mayAdd && flag.environments.length > 1 && <CopyStrategies flag={flag} name={name} />}
    </Group>
  )
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

/** Dialog that copies the strategies of another environment. */
function CopyStrategies({
  flag: { project, name: feature, environments },
  name,
}: {
  flag: AdminFeature
  name: string
}) {
  const t = useCatalogue(PROMOTION_TEXTS)
  const [isOpen, setOpen] = useState(false)
  const others = environments.filter((one) => one.name !== name)
  // Environments that have strategies come first.
  const sources = [...others].sort((a, b) => Number(b.strategies.length > 0) - Number(a.strategies.length > 0))
  return (
    <>
      <Button variant="subtle" size="xs" aria-label={t.copyOpenLabel(name)} onClick={() => setOpen(true)}>
        {t.copyOpen}
      </Button>
      {isOpen && (
        <PromotePanel
          title={t.copyTitle(feature, name)}
          place={{ project, environment: name }}
          sources={sources.map((one) => one.name)}
          features={[feature]}
          parts={['strategies']}
          close={() => setOpen(false)}
        />
      )}
    </>
  )
}
