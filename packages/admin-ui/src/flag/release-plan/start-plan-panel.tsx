import type { AdminFeature } from '@burgee/protocol/admin-feature'
import type { Milestone, ReleaseTemplate } from '@burgee/protocol/administration/release-plan'
import type { AdminStrategy, StrategyInput } from '@burgee/protocol/targeting/strategy'
import { Alert, Select, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FlagEnvironment } from '../../api/flags.ts'
import { addReleasePlan, removeReleasePlan } from '../../api/release-plans.ts'
import { RELEASE_TEMPLATES } from '../../api/release-templates.ts'
import { useRefetch } from '../../api/use-refetch.ts'
import { RecentImpact } from '../../impact/recent-impact.tsx'
import { IMPACT_TEXTS } from '../../impact/texts.ts'
import { useImpact } from '../../impact/use-impact.ts'
import { useGuardedEditor } from '../../proposals/use-guarded-editor.ts'
import { StrategyGaps } from '../../sdk-differences/strategy-gaps.tsx'
import { EnvironmentBanner } from '../../shell/environment/environment-banner.tsx'
import { describeStrategy } from '../../strategy/strategy-sentence.ts'
import { STRATEGY_TEXTS } from '../../strategy/texts.ts'
import { useSegmentName } from '../../strategy/use-segment-name.ts'
import { useStrategyUndo } from '../../strategy/use-strategy-undo.ts'
import { useCatalogue } from '../../text/texts.tsx'
import { useDuration } from '../../text/use-duration.ts'
import { SidePanel } from '../../ui/dialog/side-panel.tsx'
import { Form } from '../../ui/form/form.tsx'
import { showSuccess } from '../../ui/messages/feedback.ts'
import { LinkButton } from '../../ui/page/link-button.tsx'
import { Loaded } from '../../ui/page/list-page.tsx'
import { Notice } from '../../ui/page/problem.tsx'
import { listMilestoneEffects, listMilestoneStrategies } from './milestone-edits.ts'
import { getIntervalBefore } from './plan-progress.ts'
import styles from './release-plan.module.css'
import { START_PLAN_TEXTS } from './start-texts.ts'
import { PLAN_TEXTS } from './texts.ts'

interface Props {
  readonly flag: AdminFeature
  readonly place: FlagEnvironment
  readonly close: () => void
}

/** Panel that starts a release plan from a template, with a preview of what each milestone would change. */
export function StartPlanPanel({ flag, place, close }: Props) {
  const t = useCatalogue(PLAN_TEXTS)
  const answer = useQuery(RELEASE_TEMPLATES)
  return (
    <SidePanel title={t.title(place.environment)} close={close} isWide>
      <Loaded answer={answer}>
        {(all) => {
          const templates = all.filter(({ archivedAt }) => archivedAt === null)
          const link = (
            <LinkButton to="/release-templates" search={{ edit: 'new' }}>
              {t.createTemplate}
            </LinkButton>
          )
          if (templates.length === 0) return <Notice title={t.noTemplates} action={link} />
          return <StartForm flag={flag} place={place} templates={templates} close={close} />
        }}
      </Loaded>
    </SidePanel>
  )
}

function StartForm({ flag, place, templates, close }: Props & { readonly templates: readonly ReleaseTemplate[] }) {
  const t = useCatalogue(PLAN_TEXTS)
  const { start } = useCatalogue(START_PLAN_TEXTS)
  const [id, setId] = useState(templates[0]?.id ?? '')
  const guarded = useGuardedEditor(place)
  const save = useStart(place, guarded, close)
  const template = templates.find((one) => one.id === id)
  const there = flag.environments.find(({ name }) => name === place.environment)
  const first = listMilestoneStrategies(template?.milestones[0], place.feature)
  // The confirmation question shows what the first milestone changes.
  const edit = { strategies: [...(there?.strategies ?? []), ...first].map(toInput) }
  return (
    <Form
      save={save}
      close={close}
      draft={undefined}
      isReady={template !== undefined}
      submit={() => save.mutate(id)}
      confirm={() => guarded.confirm('', { edit })}
      action={guarded.action ?? start}
      isLong
    >
      <EnvironmentBanner name={place.environment} guarded={guarded.banner} />
      <Select
        label={t.template}
        data={templates.map(({ id: value, name: label }) => ({ value, label }))}
        value={id}
        allowDeselect={false}
        searchable
        onChange={(next) => next !== null && setId(next)}
      />
      {template?.description && (
        <Text size="sm" c="dimmed">
          {template.description}
        </Text>
      )}
      {there?.enabled === false && <Text size="sm">{t.offNote(place.environment)}</Text>}
      {(there?.strategies.length ?? 0) > 0 && <Alert color="yellow">{t.ownNote}</Alert>}
      {template !== undefined && (
        <StrategyGaps
          place={place}
          strategies={template.milestones.flatMap((milestone) => listMilestoneStrategies(milestone, place.feature))}
          withValues
        />
      )}
      {template !== undefined && there !== undefined && (
        <Preview place={place} milestones={template.milestones} isOn={there.enabled} strategies={there.strategies} />
      )}
    </Form>
  )
}

const toInput = ({ id: _, ...strategy }: AdminStrategy): StrategyInput => strategy as StrategyInput

interface PreviewProps {
  readonly place: FlagEnvironment
  readonly milestones: readonly Milestone[]
  readonly isOn: boolean
  /** Strategies that the flag already has before the plan starts. */
  readonly strategies: readonly AdminStrategy[]
}

/** Milestones, each with the users who would get the flag and with what it changes. */
function Preview({ place, milestones, isOn, strategies }: PreviewProps) {
  const t = useCatalogue(PLAN_TEXTS)
  const effects = useCatalogue(IMPACT_TEXTS)
  const words = useCatalogue(STRATEGY_TEXTS)
  const segmentName = useSegmentName()
  const write = useDuration()
  const changes = listMilestoneEffects({ isOn, strategies }, milestones, place.feature)
  return (
    <section aria-label={t.steps}>
      <p className={styles.previewTitle}>{t.steps}</p>
      <ol className={styles.preview}>
        {milestones.map((milestone, index) => {
          const planned = listMilestoneStrategies(milestone, place.feature)
          const minutes = getIntervalBefore(milestones, index)
          const effect = changes[index]
          return (
            <li key={milestone.id} className={styles.previewStep}>
              <p className={styles.previewName}>
                <strong>{milestone.name}</strong>
                {index > 0 && <span>{minutes === null ? t.handNext : t.after(write(minutes))}</span>}
              </p>
              {planned.map((strategy) => (
                <p key={strategy.id}>{describeStrategy(words, strategy, segmentName)}</p>
              ))}
              {effect !== undefined && <p className={styles.effect}>{effects.effect(effect, place.environment)}</p>}
              {isOn && <MilestoneImpact place={place} strategies={[...strategies, ...planned]} />}
            </li>
          )
        })}
      </ol>
    </section>
  )
}

/** Impact of a milestone on recent traffic, if the environment samples traffic. */
function MilestoneImpact({ place, strategies }: { place: FlagEnvironment; strategies: readonly AdminStrategy[] }) {
  const t = useCatalogue(PLAN_TEXTS)
  const impact = useImpact(place, { strategies: strategies.map(toInput) }, true)
  if (impact?.sampling !== true || impact.evaluations === 0) return null
  return (
    <div className={styles.traffic}>
      {t.comparedWithNow} <RecentImpact environment={place.environment} impact={impact} />
    </div>
  )
}

function useStart(place: FlagEnvironment, guarded: ReturnType<typeof useGuardedEditor>, close: () => void) {
  const t = useCatalogue(PLAN_TEXTS)
  const refetch = useRefetch()
  const back = useStrategyUndo(place)
  const { project, feature } = place
  const refresh = () =>
    refetch(['release-plan', project, feature], ['flag', project, feature], ['flags', project], ['events'])
  return useMutation({
    mutationFn: async (templateId: string): Promise<string | undefined> => {
      let planId: string | undefined
      const directly = async () => {
        planId = (await addReleasePlan(place, templateId)).id
      }
      await guarded.save(directly, { action: 'addReleasePlan', payload: { templateId } })
      return planId
    },
    onSuccess: async (planId) => {
      await refresh()
      close()
      if (planId === undefined) return
      const undo = async () => {
        await removeReleasePlan({ ...place, planId })
        await refresh()
      }
      showSuccess(t.planStarted, back(undo))
    },
  })
}
