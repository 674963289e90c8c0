import type { PlannedFlag, PromotedPart, PromotionPlan } from '@burgee/protocol/administration/promotion'
import { Alert, Text, Title } from '@mantine/core'
import { useCatalogue } from '../text/texts.tsx'
import { PartComparison } from './part-comparison.tsx'
import styles from './promotion.module.css'
import { PROMOTION_TEXTS } from './texts.ts'
import { useFormatNames } from './use-promotion.ts'

interface Props {
  readonly plan: PromotionPlan
  readonly environment: string
  readonly parts: readonly PromotedPart[]
  /** True if the changes are added to a draft and take effect later. */
  readonly isProposal: boolean
  /** Number of flags that would not change. */
  readonly unchanged: number
}

/** Preview of the changes: a summary of which flags turn on or off, then the details for each flag. */
export function PlanPreview({ plan: { features }, environment, parts, isProposal, unchanged }: Props) {
  const t = useCatalogue(PROMOTION_TEXTS)
  if (features.length === 0) return <Text role="status">{t.nothing}</Text>
  return (
    <section className={styles.preview} aria-label={t.preview}>
      <Title order={3} size="h5">
        {t.preview}
      </Title>
      <Effects features={features} environment={environment} parts={parts} isProposal={isProposal} />
      {unchanged > 0 && (
        <Text size="sm" c="dimmed">
          {t.unchanged(unchanged)}
        </Text>
      )}
      <ul className={styles.planned}>
        {features.map((flag) => (
          <li key={flag.name}>
            <h4 className={styles.flagName}>{flag.name}</h4>
            <PartComparison
              feature={flag.name}
              left={flag.before}
              right={flag.after}
              parts={listChangedParts(flag)}
              terms={[t.before, t.after]}
              isChange
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

/**
 * Returns the parts of a flag that change. Includes the on/off state if the flag is turned off because it has no
 * strategy left.
 */
function listChangedParts({ before, after, actions }: PlannedFlag): PromotedPart[] {
  const isOfStrategies =
    actions.some((action) => /Strategy$/.test(action)) || after.strategies.length !== before.strategies.length
  return [
    ...(before.enabled === after.enabled ? [] : (['enabled'] as const)),
    ...(isOfStrategies ? (['strategies'] as const) : []),
    ...(actions.includes('patchVariant') ? (['variants'] as const) : []),
  ]
}

function Effects({
  features,
  environment,
  parts,
  isProposal,
}: Pick<Props, 'environment' | 'parts' | 'isProposal'> & Pick<PromotionPlan, 'features'>) {
  const t = useCatalogue(PROMOTION_TEXTS)
  const namesOf = useFormatNames()
  const isChosen = parts.includes('enabled')
  const where = (isMeant: (flag: PlannedFlag) => boolean) => features.filter(isMeant).map(({ name }) => name)
  const opened = where(({ before, after }) => !before.enabled && after.enabled)
  const closed = where(
    ({ before, after, actions }) => before.enabled && !after.enabled && actions.includes('updateEnabled'),
  )
  const bare = where(
    ({ before, after, actions }) => before.enabled && !after.enabled && !actions.includes('updateEnabled'),
  )
  const served = where(({ before, after }) => before.enabled && after.enabled)
  const kept = isChosen ? [] : where(({ before, after }) => !before.enabled && !after.enabled)
  const formatServed = isProposal ? t.servedOnApply : t.served
  const effects = [
    ...(opened.length > 0 ? [t.opens(namesOf(opened), environment)] : []),
    ...(served.length > 0 ? [formatServed(namesOf(served), environment)] : []),
    ...(closed.length > 0 ? [t.closes(namesOf(closed), environment)] : []),
    ...(bare.length > 0 ? [t.closesBare(namesOf(bare), environment)] : []),
  ]
  return (
    <>
      {effects.length > 0 && (
        <Alert color={isProposal ? 'gray' : 'yellow'} role="status">
          {effects.map((text) => (
            <div key={text}>{text}</div>
          ))}
        </Alert>
      )}
      {kept.length > 0 && (
        <Text size="sm" c="dimmed">
          {t.staysOff(namesOf(kept), environment)}
        </Text>
      )}
    </>
  )
}
