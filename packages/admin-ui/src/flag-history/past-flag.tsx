import type { FlagHistory, FlagHistoryPoint, FlagSnapshot } from '@burgee/protocol/administration/flag-history'
import { Alert, Badge, Button, SegmentedControl, Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { FlagRef } from '../api/flags.ts'
import { fetchFlagHistory, type PointInTime } from '../api/history.ts'
import { describeParent } from '../flag/parent-text.ts'
import { FLAG_TEXTS } from '../flag/texts.ts'
import { usePermissionCheck } from '../shell/session/session.tsx'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { ProblemNotice } from '../ui/page/problem.tsx'
import { Section } from '../ui/page/section.tsx'
import ui from '../ui/ui.module.css'
import { Differences } from './difference-list.tsx'
import styles from './flag-history.module.css'
import { PastColumns } from './past-columns.tsx'
import { PointInTimeForm } from './point-in-time-form.tsx'
import { RestoreDialog } from './restore-dialog.tsx'
import { HISTORY_TEXTS } from './texts.ts'

interface Props extends FlagRef {
  readonly moment: PointInTime
  /** Point in time to compare with; defaults to now. */
  readonly to: PointInTime
  /** Opens or compares other points in time. */
  readonly go: (moment: PointInTime, to: PointInTime) => void
  /** Closes the past view; undefined if there is no current view because the flag no longer exists. */
  readonly leave: (() => void) | undefined
}

/** Past state of a flag, with the changes since then (or between then and another point in time). */
export function PastFlag({ project, feature, moment, to, go, leave }: Props) {
  const t = useTexts(HISTORY_TEXTS)
  const [restored, setRestored] = useState<string | null>()
  const may = usePermissionCheck()
  const mayRestore = leave !== undefined && may('UPDATE_FEATURE', { project })
  const { data, error, refetch } = useQuery({
    queryKey: ['past-flag', project, feature, moment, to],
    queryFn: () => fetchFlagHistory({ project, feature }, moment, to),
  })
  if (error !== null && data === undefined) return <ProblemNotice error={error} retry={() => void refetch()} />
  if (data === undefined) return <Skeleton height={240} role="status" aria-label={t.common.loading} />
  return (
    <div className={styles.past}>
      <Banner project={project} feature={feature} moment={moment} leave={leave} state={data.moment} />
      {data.moment.isKnown ? (
        <State state={data.moment} restore={mayRestore ? setRestored : undefined} />
      ) : (
        <UnknownState state={data.moment} show={(event) => go({ event }, to)} />
      )}
      <Changes data={data} moment={moment} to={to} go={go} />
      {restored !== undefined && (
        <RestoreDialog
          project={project}
          feature={feature}
          moment={moment}
          state={data.moment}
          first={restored}
          close={() => setRestored(undefined)}
        />
      )}
    </div>
  )
}

type BannerProps = Pick<Props, 'project' | 'feature' | 'moment' | 'leave'> & { readonly state: FlagHistoryPoint }

function Banner({ project, feature, moment, state, leave }: BannerProps) {
  const t = useTexts(HISTORY_TEXTS)
  const { time } = useFormat()
  const at = moment.at ?? state.at
  const then = moment.event === undefined ? { at: moment.at ?? '' } : { event: String(moment.event) }
  const envs = (state.flag?.environments ?? []).map(({ name }) => name).join(',')
  return (
    <Alert color="yellow" title={at === null ? t.afterEvent : t.asOf(time(at))} role="status">
      {state.flag === null ? t.readOnly : `${t.readOnly} ${t.restorable}`}{' '}
      {leave && (
        <Button size="compact-sm" variant="default" onClick={leave}>
          {t.today}
        </Button>
      )}{' '}
      {envs !== '' && (
        <Link
          to="/playground"
          search={{ project: state.flag?.project ?? project, q: feature, envs, ...then }}
          className={ui.link ?? ''}
        >
          {t.test}
        </Link>
      )}
    </Alert>
  )
}

interface StateProps {
  readonly state: FlagHistoryPoint
  /** Restores one environment, or the details of the flag if the argument is null. */
  readonly restore: ((environment: string | null) => void) | undefined
}

function State({ state: { flag, segments, untoldSegments }, restore }: StateProps) {
  const t = useCatalogue(HISTORY_TEXTS)
  if (flag === null) return <p className={styles.quiet}>{t.notThere}</p>
  return (
    <>
      <About flag={flag} restore={restore} />
      {untoldSegments.length > 0 && <Alert color="yellow">{t.untoldSegments}</Alert>}
      <PastColumns flag={flag} segments={segments} restore={restore} />
    </>
  )
}

function About({ flag, restore }: { flag: FlagSnapshot; restore: StateProps['restore'] }) {
  const t = useTexts(FLAG_TEXTS)
  const own = useCatalogue(HISTORY_TEXTS)
  return (
    <div>
      <p className={styles.description}>{flag.description || t.flag.noDescription}</p>
      <div className={styles.facts}>
        <Badge variant="default" tt="none">
          {t.types[flag.type] ?? flag.type}
        </Badge>
        {flag.archivedAt !== null && (
          <Badge color="yellow" tt="none">
            {own.archived}
          </Badge>
        )}
        {flag.stale && (
          <Badge variant="default" tt="none">
            {own.stale}
          </Badge>
        )}
        {flag.impressionData && <span>{own.impressions}</span>}
        {flag.tags.map(({ type, value }) => (
          <span key={`${type}:${value}`}>
            {type}:{value}
          </span>
        ))}
        {flag.dependencies.map((parent) => (
          <span key={parent.feature}>
            {t.dependencies.title} {parent.feature}: {describeParent(t.dependencies, parent)}
          </span>
        ))}
        {flag.links.map(({ id, title, url }) => (
          <span key={id}>{title ?? url}</span>
        ))}
        {restore !== undefined && (
          <Button size="compact-sm" variant="default" onClick={() => restore(null)}>
            {own.restoreDetails}
          </Button>
        )}
      </div>
    </div>
  )
}

function UnknownState({ state: { knownFrom }, show }: { state: FlagHistoryPoint; show: (event: number) => void }) {
  const t = useCatalogue(HISTORY_TEXTS)
  const { time } = useFormat()
  const { at = null, eventId = null, why = 'untold' } = knownFrom ?? {}
  return (
    <Alert color="red" title={t.unknown} role="alert">
      {t.why[why]} {at === null ? t.onlyNow : t.knownFrom(time(at))}{' '}
      {eventId !== null && (
        <Button size="compact-sm" variant="default" onClick={() => show(eventId)}>
          {t.goThere}
        </Button>
      )}
    </Alert>
  )
}

function Changes({ data, moment, to, go }: Pick<Props, 'moment' | 'to' | 'go'> & { data: FlagHistory }) {
  const t = useCatalogue(HISTORY_TEXTS)
  const isNow = to.event === undefined && to.at === undefined
  const known = new Map([...data.moment.segments, ...data.compared.segments].map((one) => [one.id, one]))
  return (
    <Section title={t.changed}>
      <div className={styles.compare}>
        <SegmentedControl
          aria-label={t.comparedWith}
          value={isNow ? 'now' : 'another'}
          onChange={(value) => go(moment, value === 'now' ? {} : { at: new Date().toISOString() })}
          data={[
            { value: 'now', label: t.now },
            { value: 'another', label: t.another },
          ]}
        />
        {!isNow && (
          <PointInTimeForm
            key={to.at ?? ''}
            label={t.comparedWith}
            at={to.at ?? data.compared.at ?? ''}
            go={(at) => go(moment, { at })}
          />
        )}
      </div>
      {data.changes === null ? (
        <p className={styles.quiet}>{t.notComparable}</p>
      ) : (
        <Differences changes={data.changes} segments={[...known.values()]} />
      )}
    </Section>
  )
}
