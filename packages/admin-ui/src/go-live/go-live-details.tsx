import type { AdminFeature } from '@burgee/protocol/admin-feature'
import type { FlagEnvironment } from '../api/flags.ts'
import { calculateEffect, listEnabledStrategies } from '../impact/edit-effect.ts'
import { ImpactFigure } from '../impact/impact-line.tsx'
import { IMPACT_TEXTS } from '../impact/texts.ts'
import { useImpact } from '../impact/use-impact.ts'
import { EnvironmentBanner } from '../shell/environment/environment-banner.tsx'
import { describeStrategy } from '../strategy/strategy-sentence.ts'
import { STRATEGY_TEXTS } from '../strategy/texts.ts'
import { useSegmentName } from '../strategy/use-segment-name.ts'
import { useCatalogue, useFormat } from '../text/texts.tsx'
import { applyEdit, type EditableFlag, type EditedSide, type LiveEdit } from './flag-edit.ts'
import styles from './go-live.module.css'
import { RolloutChange } from './rollout-change.tsx'
import { GO_LIVE_TEXTS } from './texts.ts'

interface Props {
  readonly place: FlagEnvironment
  readonly flag: AdminFeature
  readonly now: EditableFlag
  readonly edit: LiveEdit
  /** Further text about the change. */
  readonly note: string | undefined
  /** Text for an environment in which the change goes into a draft. */
  readonly guarded: string | undefined
  /** True if the user may read the impact on recent traffic. */
  readonly hasImpact: boolean
}

/** Summary of a change before it goes live: who gets the flag, the rollout, the impact and the usage. */
export function GoLiveDetails({ place, flag, now, edit, note, guarded, hasImpact }: Props) {
  const t = useCatalogue(GO_LIVE_TEXTS)
  const impactTexts = useCatalogue(IMPACT_TEXTS)
  const before: EditedSide = { isOn: now.enabled, strategies: now.strategies }
  const after = applyEdit(now, edit)
  const isEnded = before.isOn && !after.isOn
  const { activate, ...asked } = edit
  // The impact on recent traffic is calculated without activation.
  const impact = useImpact(place, asked, hasImpact && activate !== true)
  const addsDefault = after.strategies.length > before.strategies.length && edit.strategy === undefined
  const describeEffect = () =>
    edit.variants === undefined
      ? impactTexts.effect(calculateEffect(before, after), place.environment)
      : impactTexts.variants
  return (
    <div className={styles.details}>
      <EnvironmentBanner name={place.environment} guarded={guarded} />
      {note !== undefined && <p>{note}</p>}
      <WhoGetsIt title={isEnded ? t.losesIt : t.getsIt} side={isEnded ? before : after} />
      {addsDefault && <p>{t.added}</p>}
      {activate === true && <p>{t.activated}</p>}
      <RolloutChange before={before} after={after} />
      {impact?.sampling === true && <ImpactFigure impact={impact} />}
      {!isEnded && before.isOn && <p>{describeEffect()}</p>}
      {guarded === undefined && <p>{isEnded ? t.ended : t.live}</p>}
      <Facts flag={flag} environment={place.environment} />
    </div>
  )
}

/** Users who get the flag, as one sentence per strategy. */
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
