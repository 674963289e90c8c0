import type { AdminFeature, AdminFeatureEnvironment } from '@burgee/protocol/admin-feature'
import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'
import { Group } from '@mantine/core'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMayChange } from '../proposals/may-change.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { lazyDialog } from '../ui/loading/lazy-part.tsx'
import { LinkButton } from '../ui/page/link-button.tsx'
import type { DraggedStrategy } from './copying/strategy-drag.ts'
import { COPYING_TEXTS } from './copying/texts.ts'
import { useCopyStrategy } from './copying/use-strategy-copy.ts'
import { type ColumnProps, EnvironmentColumn, type StrategyDrag } from './environment-column.tsx'
import { chooseEnvironment, needsChoice, sortProductionFirst } from './environments/chosen-environment.ts'
import { EnvironmentRail } from './environments/environment-rail.tsx'
import rail from './environments/rail.module.css'
import styles from './flag.module.css'
import type { FlagPageSearch } from './search-params.ts'
import { FLAG_TEXTS } from './texts.ts'

const StrategyEditor = lazyDialog(
  'StrategyEditor',
  async () => (await import('../strategy/strategy-editor.tsx')).StrategyEditor,
)
const VariantsEditor = lazyDialog(
  'VariantsEditor',
  async () => (await import('./variants/variants-editor.tsx')).VariantsEditor,
)
const StartPlanPanel = lazyDialog(
  'StartPlanPanel',
  async () => (await import('./release-plan/start-plan-panel.tsx')).StartPlanPanel,
)
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

/** Returns the dragged strategy while it exists: if its element is removed, no `dragend` event arrives. */
function useStrategyDrag({ environments }: AdminFeature): StrategyDrag {
  const [dragged, put] = useState<DraggedStrategy>()
  const source = environments.find(({ name }) => name === dragged?.environment)
  const isThere = source?.strategies.some(({ id }) => id === dragged?.strategy.id) === true
  return { dragged: isThere ? dragged : undefined, put }
}

function CompareLink({ project, feature }: { project: string; feature: string }) {
  const t = useCatalogue(COPYING_TEXTS)
  return (
    <Group className={styles.compare ?? ''}>
      <LinkButton to="/projects/$project/compare" params={{ project }} search={{ flags: feature, equal: true }}>
        {t.compareEnvironments}
      </LinkButton>
    </Group>
  )
}
