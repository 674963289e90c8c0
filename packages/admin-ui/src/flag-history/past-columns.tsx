import type { EnvironmentSnapshot, FlagSnapshot, SegmentSnapshot } from '@burgee/protocol/administration/flag-history'
import { getRolloutPercentage } from '@burgee/protocol/targeting/audience'
import { Badge, Button } from '@mantine/core'
import { FLAG_TEXTS } from '../flag/texts.ts'
import { EnvironmentChip, useEnvironmentType } from '../shell/environment/environment-chip.tsx'
import { isLive } from '../shell/environment/production.ts'
import { RolloutRow } from '../strategy/rollout-bar.tsx'
import { STRATEGY_TEXTS } from '../strategy/texts.ts'
import { WeightBar } from '../strategy/weight-bar.tsx'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { describeTitledStrategy } from './difference-text.ts'
import styles from './flag-history.module.css'
import { HISTORY_TEXTS } from './texts.ts'

const FULL_PERCENT = 100

interface Props {
  readonly flag: FlagSnapshot
  readonly segments: readonly SegmentSnapshot[]
  /** Restores one environment; undefined if restoring is impossible. */
  readonly restore: ((environment: string) => void) | undefined
}

/** Past state of a flag in each environment, side by side, production first; read-only. */
export function PastColumns({ flag, segments, restore }: Props) {
  const typeOf = useEnvironmentType()
  const rank = ({ name }: EnvironmentSnapshot): number => Number(!isLive({ type: typeOf(name) }))
  return (
    <div className={styles.columns}>
      {[...flag.environments]
        .sort((a, b) => rank(a) - rank(b))
        .map((place) => (
          <Column key={place.name} place={place} segments={segments} restore={restore} />
        ))}
    </div>
  )
}

function Column({ place, segments, restore }: Omit<Props, 'flag'> & { place: EnvironmentSnapshot }) {
  const t = useCatalogue(HISTORY_TEXTS)
  const { flag } = useTexts(FLAG_TEXTS)
  const words = useCatalogue(STRATEGY_TEXTS)
  const segmentName = (id: number): string => segments.find((one) => one.id === id)?.name ?? `#${id}`
  return (
    <section className={styles.column} aria-label={place.name}>
      <header className={styles.head}>
        <EnvironmentChip name={place.name} />
        <Badge variant={place.enabled ? 'filled' : 'default'} tt="none">
          {place.enabled ? t.on : t.off}
        </Badge>
      </header>
      {place.strategies.length === 0 ? (
        <p className={styles.quiet}>{t.noStrategies}</p>
      ) : (
        <ol className={styles.cards} aria-label={flag.strategies}>
          {place.strategies.map((strategy) => (
            <li key={strategy.id} className={styles.card} data-disabled={strategy.disabled || undefined}>
              {strategy.disabled && (
                <Badge variant="default" size="sm" tt="none" mb={4}>
                  {flag.disabled}
                </Badge>
              )}
              <p className={styles.sentence}>
                {describeTitledStrategy({ ...strategy, variants: [] }, { words, segmentName })}
              </p>
              <Rollout strategy={strategy} />
              {strategy.variants.length > 0 && <WeightBar variants={strategy.variants} />}
            </li>
          ))}
        </ol>
      )}
      {place.variants.length > 0 && <WeightBar variants={place.variants} />}
      {restore && (
        <Button
          size="xs"
          variant="default"
          justify="center"
          aria-label={t.restoreThis(place.name)}
          onClick={() => restore(place.name)}
        >
          {t.restore}
        </Button>
      )}
    </section>
  )
}

/** Bar of a partial rollout. */
function Rollout({ strategy }: { strategy: EnvironmentSnapshot['strategies'][number] }) {
  const percent = getRolloutPercentage(strategy)
  return percent !== null && percent < FULL_PERCENT && <RolloutRow percent={percent} />
}
