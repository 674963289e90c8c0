import type { ReleasePlan } from '@burgee/protocol/administration/release-plan'
import type { Safeguard } from '@burgee/protocol/administration/safeguard'
import { Alert, Button } from '@mantine/core'
import { ShieldAlert, ShieldCheck, ShieldQuestion } from 'lucide-react'
import { useState } from 'react'
import type { FlagEnvironment } from '../../../api/flags.ts'
import { removeSafeguard, setSafeguard, toSafeguardInput } from '../../../api/release-plans.ts'
import { METRIC_TEXTS } from '../../../metrics/texts.ts'
import { useFormatValue } from '../../../metrics/use-format-value.ts'
import { useMayChange } from '../../../proposals/may-change.ts'
import { useCatalogue, useFormat, useTexts } from '../../../text/texts.tsx'
import { lazyDialog } from '../../../ui/loading/lazy-part.tsx'
import { RowMenu } from '../../../ui/page/row-menu.tsx'
import { usePlanChange } from '../use-plan-change.ts'
import { describeCondition } from './describe-safeguard.ts'
import { SafeguardLine } from './safeguard-line.tsx'
import styles from './safeguards.module.css'
import { SAFEGUARD_TEXTS } from './texts.ts'

const SafeguardDialog = lazyDialog(
  'SafeguardDialog',
  async () => (await import('./safeguard-dialog.tsx')).SafeguardDialog,
)
const ICONS = { watching: ShieldCheck, waiting: ShieldQuestion, tripped: ShieldAlert }

interface Props {
  readonly place: FlagEnvironment
  readonly plan: ReleasePlan
  /** True if the safeguards are read-only. */
  readonly isFixed: boolean
}

/** Safeguards of a release plan. Tripped safeguards come first, with the values that tripped them. */
export function SafeguardList({ place, plan, isFixed }: Props) {
  const t = useCatalogue(SAFEGUARD_TEXTS)
  const mayUpdate = useMayChange(place.project)('UPDATE_FEATURE_STRATEGY', place) && !isFixed
  const [edited, edit] = useState<string>()
  const safeguards = plan.safeguards
  return (
    <div className={styles.part}>
      {safeguards.map((one) => one.trip !== null && <TripNotice key={one.id} safeguard={one} />)}
      <p className={styles.title}>{t.title}</p>
      {safeguards.length === 0 && <p className={styles.none}>{t.none}</p>}
      {safeguards.length > 0 && (
        <ul className={styles.chips} aria-label={t.title}>
          {safeguards.map((one) => (
            <SafeguardChip
              key={one.id}
              place={place}
              safeguard={one}
              edit={mayUpdate ? () => edit(one.id) : undefined}
            />
          ))}
        </ul>
      )}
      {mayUpdate && (
        <Button variant="subtle" size="compact-sm" className={styles.add ?? ''} onClick={() => edit('new')}>
          + {t.add}
        </Button>
      )}
      {edited !== undefined && (
        <SafeguardDialog
          place={place}
          planId={plan.id}
          safeguard={safeguards.find(({ id }) => id === edited)}
          close={() => edit(undefined)}
        />
      )}
    </div>
  )
}

/** Returns a function that describes the condition of a safeguard. */
function useCondition(): (safeguard: Safeguard) => string {
  const own = useCatalogue(SAFEGUARD_TEXTS)
  const metrics = useCatalogue(METRIC_TEXTS)
  const format = useFormatValue()
  return (safeguard) => describeCondition(safeguard, { own, metrics, format })
}

/** Notice of a tripped safeguard: the observed value, and the effect. */
function TripNotice({ safeguard }: { safeguard: Safeguard }) {
  const t = useCatalogue(SAFEGUARD_TEXTS)
  const condition = useCondition()
  const format = useFormatValue()
  const { ago, time } = useFormat()
  const { trip, action } = safeguard
  if (trip === null) return null
  const { value, threshold, window, detail } = trip
  return (
    <Alert
      color="red"
      role="alert"
      variant="light"
      icon={<ShieldAlert size={22} aria-hidden="true" />}
      title={t.trippedTitle(condition(safeguard))}
    >
      <p className={styles.trip}>
        {value !== null && threshold !== null && window !== null && (
          <strong>{t.observed(format(value), format(threshold), time(window.start), time(window.end))} </strong>
        )}
        {detail !== null && `${detail} `}
        {t.trippedAt(ago(trip.at))} {t.acted[action.type]}
      </p>
      <p className={styles.trip}>{t.nothingResumes}</p>
    </Alert>
  )
}

interface ChipProps {
  readonly place: FlagEnvironment
  readonly safeguard: Safeguard
  /** Undefined if the user may not change the safeguard. */
  readonly edit: (() => void) | undefined
}

function SafeguardChip({ place, safeguard, edit }: ChipProps) {
  const { common } = useTexts()
  const t = useCatalogue(SAFEGUARD_TEXTS)
  const condition = useCondition()(safeguard)
  const remove = useRemove(place, safeguard)
  const { status, impactMetric, triggerCondition } = safeguard
  const Icon = ICONS[status]
  const isCompared = triggerCondition?.compare === 'on-vs-off'
  return (
    <li className={styles.chip} data-status={status}>
      <Icon size={16} aria-hidden="true" className={styles.icon} />
      <span className={styles.content}>
        <span className={styles.condition}>
          {condition}
          <span className={styles.range}>
            {impactMetric.source === 'internal' && `${t.ranges[impactMetric.timeRange]} · `}
            {t[status]}
          </span>
        </span>
        {impactMetric.source === 'internal' && (
          <SafeguardLine
            environment={place.environment}
            metric={impactMetric}
            threshold={isCompared ? undefined : triggerCondition?.threshold}
          />
        )}
      </span>
      {edit && (
        <RowMenu
          label={t.more(condition)}
          acts={[
            { label: common.edit, text: common.edit, act: edit },
            { label: t.remove, text: t.remove, isDanger: true, act: () => remove(condition) },
          ]}
        />
      )}
    </li>
  )
}

/** Returns a function that removes a safeguard after confirmation; the removal can be undone. */
function useRemove(place: FlagEnvironment, safeguard: Safeguard) {
  const t = useCatalogue(SAFEGUARD_TEXTS)
  const change = usePlanChange(place)
  const { id, releasePlanId: planId } = safeguard
  const ref = { ...place, planId }
  return (condition: string) =>
    change({
      what: t.remove,
      proposal: { action: 'deleteSafeguard', payload: { ...(planId === null ? {} : { planId }), safeguardId: id } },
      question: { title: t.removeTitle, text: t.name(condition), isAlwaysAsked: true },
      isDanger: true,
      run: () => removeSafeguard(ref, id),
      done: t.removed,
      undo: () => setSafeguard(ref, toSafeguardInput(safeguard)),
    })
}
