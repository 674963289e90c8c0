import type { AdminFeature } from '@burgee/protocol/admin'
import { Alert, Badge, Skeleton, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { flagQuery } from '../api/queries.ts'
import { isOverdue, StaleBadge, useLifetime } from '../flags/stale-badge.tsx'
import { useFormat, useTexts } from '../text/texts.tsx'
import { Page } from '../ui/page.tsx'
import { ProblemNotice } from '../ui/problem.tsx'
import ui from '../ui/ui.module.css'
import { Dependencies } from './dependencies.tsx'
import { EnvironmentColumns } from './environment-columns.tsx'
import styles from './flag.module.css'
import { FlagActions } from './flag-actions.tsx'
import { FlagTags } from './flag-tags.tsx'
import { type FlagPageSearch, TABS, type Tab } from './search.ts'

const CodePanel = lazy(async () => ({ default: (await import('./code-panel.tsx')).CodePanel }))
const History = lazy(async () => ({ default: (await import('./history.tsx')).History }))
const Usage = lazy(async () => ({ default: (await import('./usage.tsx')).Usage }))
const route = getRouteApi('/app/projects/$project/features/$feature')

/** One flag: what it is, its environments side by side, its history, its usage, and how code asks for it. */
export function FlagPage() {
  const t = useTexts()
  const { project, feature } = route.useParams()
  const { data, error, refetch } = useQuery(flagQuery({ project, feature }))
  const back = (
    <Link to="/projects/$project" params={{ project }} className={ui.link ?? ''}>
      ← {t.nav.flags}
    </Link>
  )
  if (error !== null && data === undefined) {
    return (
      <Page title={feature} back={back}>
        <ProblemNotice error={error} retry={() => void refetch()} />
      </Page>
    )
  }
  if (data === undefined) {
    return (
      <Page title={feature} back={back}>
        <Skeleton height={320} mt="md" role="status" aria-label={t.common.loading} />
      </Page>
    )
  }
  return (
    <Page title={feature} back={back} actions={<FlagActions flag={data} />}>
      <About flag={data} />
      <Parts flag={data} />
    </Page>
  )
}

function About({ flag }: { flag: AdminFeature }) {
  const t = useTexts()
  const { date, ago } = useFormat()
  return (
    <section className={styles.about} aria-label={t.flag.details}>
      {flag.archived && (
        <Alert color="yellow" title={t.flag.archived}>
          {t.flag.archivedText}
        </Alert>
      )}
      <p className={styles.description}>{flag.description || t.flag.noDescription}</p>
      <div className={styles.facts}>
        <Badge variant="default" tt="none">
          {t.types[flag.type] ?? flag.type}
        </Badge>
        <StaleBadge flag={flag} />
        <span>{t.flag.created(date(flag.createdAt))}</span>
        {isOverdue(flag) && <Lifetime type={flag.type} />}
        <span>{flag.lastSeenAt === null ? t.flag.neverSeen : t.flag.seen(ago(flag.lastSeenAt))}</span>
        <FlagTags flag={flag} />
        <Dependencies flag={flag} />
      </div>
    </section>
  )
}

function Lifetime({ type }: { type: string }) {
  const lifetime = useLifetime(type)
  return lifetime !== undefined && <span>{lifetime}</span>
}

function Parts({ flag }: { flag: AdminFeature }) {
  const t = useTexts()
  const navigate = useNavigate()
  const { project, name: feature } = flag
  const { tab = 'environments', hours, app } = route.useSearch()
  const go = (search: FlagPageSearch, replace = false): void =>
    void navigate({ to: '/projects/$project/features/$feature', params: { project, feature }, search, replace })
  const open = (next: string | null): void => go(next === null || next === 'environments' ? {} : { tab: next as Tab })
  const coming = <Skeleton height={240} role="status" aria-label={t.common.loading} />
  return (
    <Tabs value={tab} onChange={open} keepMounted={false}>
      <Tabs.List aria-label={t.flag.tabs} mb="md">
        {TABS.map((one) => (
          <Tabs.Tab key={one} value={one}>
            {t.flag[one]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="environments">
        <EnvironmentColumns flag={flag} />
      </Tabs.Panel>
      <Suspense fallback={coming}>
        <Tabs.Panel value="history">
          <History feature={feature} />
        </Tabs.Panel>
        <Tabs.Panel value="usage">
          <Usage feature={feature} hours={hours} app={app} put={(change) => go(defined({ tab, ...change }), true)} />
        </Tabs.Panel>
        <Tabs.Panel value="code">
          <CodePanel feature={feature} />
        </Tabs.Panel>
      </Suspense>
    </Tabs>
  )
}

/** Without what is undefined. */
function defined(search: { [K in keyof FlagPageSearch]: FlagPageSearch[K] | undefined }): FlagPageSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))
}
