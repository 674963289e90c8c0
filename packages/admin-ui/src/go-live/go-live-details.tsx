import type { AdminFeature } from '@burgee/protocol/admin-feature'
import { calculateEffect, listEnabledStrategies } from '../impact/edit-effect.ts'
import { RecentImpact } from '../impact/recent-impact.tsx'
import { IMPACT_TEXTS } from '../impact/texts.ts'
import { useImpact } from '../impact/use-impact.ts'
import { StrategyGaps } from '../sdk-differences/strategy-gaps.tsx'
import { EnvironmentBanner } from '../shell/environment/environment-banner.tsx'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { describeStrategy } from '../strategy/strategy-sentence.ts'
import { STRATEGY_TEXTS } from '../strategy/texts.ts'
import { useSegmentName } from '../strategy/use-segment-name.ts'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { applyEdits, combineEdits, type EditedSide } from './flag-edit.ts'
import styles from './go-live.module.css'
import type { PlannedChange } from './planned-change.ts'
import { RolloutChange } from './rollout-change.tsx'
import { GO_LIVE_TEXTS } from './texts.ts'

interface Props {
  /** Changes to show; at most `MAX_SHOWN_CHANGES`. */
  readonly changes: readonly PlannedChange[]
  /** Number of further changes. */
  readonly hiddenCount: number
  /** Additional text about the change. */
  readonly note: string | undefined
  /** Note for an environment in which the changes are added to a draft. */
  readonly guarded: string | undefined
}

/** Summary shown before changes go live: the users who get each flag, the rollout, the impact and the usage. */
export function GoLiveDetails({ changes, hiddenCount, note, guarded }: Props) {
  const t = useCatalogue(GO_LIVE_TEXTS)
  const { number } = useFormat()
  const environments = [...new Set(changes.map(({ place }) => place.environment))]
  const isNamed = changes.length + hiddenCount > environments.length
  return (
    <div className={styles.details}>
      {note !== undefined && <p>{note}</p>}
      {environments.map((environment) => (
        <EnvironmentChanges
          key={environment}
          environment={environment}
          changes={changes.filter(({ place }) => place.environment === environment)}
          isNamed={isNamed}
          guarded={guarded}
        />
      ))}
      {hiddenCount > 0 && <p className={styles.facts}>{t.andMore(number(hiddenCount))}</p>}
    </div>
  )
}

interface EnvironmentProps extends Pick<Props, 'changes' | 'guarded'> {
  readonly environment: string
  /** True to show the names of the flags. */
  readonly isNamed: boolean
}

/** Changes in one environment, and when they take effect. */
function EnvironmentChanges({ environment, changes, isNamed, guarded }: EnvironmentProps) {
  const t = useCatalogue(GO_LIVE_TEXTS)
  const served = changes.filter(({ now, edits }) => now.enabled || applyEdits(now, edits).isOn)
  const isEnded = served.every(({ now, edits }) => !applyEdits(now, edits).isOn)
  return (
    <div className={styles.details}>
      {(served.length > 0 || guarded !== undefined) && <EnvironmentBanner name={environment} guarded={guarded} />}
      {changes.map((change, index) => (
        <ChangeSummary key={change.place.feature} change={change} isNamed={isNamed} isFirst={index === 0} />
      ))}
      {guarded === undefined && served.length > 0 && <p>{isEnded ? t.ended : t.live}</p>}
    </div>
  )
}

interface SummaryProps {
  readonly change: PlannedChange
  readonly isNamed: boolean
  /** True for the first flag in its environment, where the user can turn sampling on. */
  readonly isFirst: boolean
}

/** Audience of a flag now and after a change, with the flag's usage and the change's impact on recent traffic. */
function ChangeSummary({ change: { place, flag, now, edits }, isNamed, isFirst }: SummaryProps) {
  const t = useCatalogue(GO_LIVE_TEXTS)
  const impactTexts = useCatalogue(IMPACT_TEXTS)
  const may = usePermissionCheck()
  const before: EditedSide = { isOn: now.enabled, strategies: now.strategies }
  const after = applyEdits(now, edits)
  const isEnded = before.isOn && !after.isOn
  const isServed = before.isOn || after.isOn
  const canPreview = isServed && may('UPDATE_FEATURE_ENVIRONMENT', place)
  const known = useImpact(place, combineEdits(now, edits), canPreview)
  const impact = canPreview ? known : undefined
  const addsDefault = edits.some((edit, index) => addsStrategy(now, edits.slice(0, index), edit))
  const isOfVariants = edits.every(({ variants }) => variants !== undefined)
  const effect = () =>
    isOfVariants ? impactTexts.variants : impactTexts.effect(calculateEffect(before, after), place.environment)
  return (
    <div className={styles.change}>
      {isNamed && <p className={styles.flag}>{place.feature}</p>}
      <WhoGetsIt title={isEnded ? t.losesIt : t.getsIt} side={isEnded ? before : after} />
      {addsDefault && <p>{t.added}</p>}
      {edits.some(({ activate }) => activate === true) && <p>{t.activated}</p>}
      {isServed && <RolloutChange before={before} after={after} />}
      {(isFirst || impact?.sampling === true) && <RecentImpact environment={place.environment} impact={impact} />}
      {!isEnded && before.isOn && <p>{effect()}</p>}
      {!isServed && <p>{t.staysOff}</p>}
      <StrategyGaps place={place} strategies={listEnabledStrategies(after)} />
      <Facts flag={flag} environment={place.environment} />
    </div>
  )
}

/** Returns true if no strategy is enabled, so that an edit adds the default strategy. */
function addsStrategy(
  now: PlannedChange['now'],
  earlier: PlannedChange['edits'],
  edit: PlannedChange['edits'][number],
) {
  if (edit.enabled !== true || edit.strategies !== undefined) return false
  const before = applyEdits(now, earlier)
  return applyEdits(now, [...earlier, edit]).strategies.length > before.strategies.length
}

/** Users who get the flag, described in one sentence per strategy. */
function WhoGetsIt({ title, side }: { title: string; side: EditedSide }) {
  const words = useCatalogue(STRATEGY_TEXTS)
  const segmentName = useSegmentName()
  const serving = listEnabledStrategies(side)
  if (serving.length === 0) return null
  return (
    <div>
      <p className={styles.heading}>{title}</p>
      <ul>
        {serving.map((strategy, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change while the dialog is open
          <li key={index}>{describeStrategy(words, strategy, segmentName)}</li>
        ))}
      </ul>
    </div>
  )
}

/** Last evaluation of the flag in the environment, and the flags that depend on it. */
function Facts({ flag: { environments, children }, environment }: { flag: AdminFeature; environment: string }) {
  const t = useCatalogue(GO_LIVE_TEXTS)
  const { ago } = useFormat()
  const seen = environments.find(({ name }) => name === environment)?.lastSeenAt ?? null
  const facts = [
    seen === null ? t.neverEvaluated : t.lastEvaluated(ago(seen)),
    ...(children.length === 0 ? [] : [t.requiredBy(children.join(', '))]),
  ]
  return <p className={styles.facts}>{facts.join(' · ')}</p>
}
