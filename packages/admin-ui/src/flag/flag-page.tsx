import type { AdminFeature } from '@burgee/protocol/admin-feature'
import { Alert, Badge, Button, Group, Skeleton, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { FlagRef } from '../api/flags.ts'
import { getFlagQuery } from '../api/queries.ts'
import { getCommentsQuery } from '../comments/comment-calls.ts'
import { COMMENT_TEXTS } from '../comments/texts.ts'
import { isOverdue, StaleBadge, useLifetime } from '../flags/stale-badge.tsx'
import { Stage } from '../lifecycle/stage.tsx'
import { AuthorName } from '../people/person.tsx'
import { Drafts } from '../proposals/drafts.tsx'
import { MissingPage, ProjectBoundary } from '../shell/project/project-boundary.tsx'
import { useProjectName } from '../shell/project/project-name.tsx'
import { isNotFound } from '../shell/project/use-is-project-missing.ts'
import { recordOpenedFlag, removeRecentFlag } from '../shell/recent-flags.ts'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { lazyDialog, lazyPart } from '../ui/loading/lazy-part.tsx'
import { useIdleOnce } from '../ui/loading/use-idle-once.ts'
import { Page } from '../ui/page/page.tsx'
import { ProblemNotice } from '../ui/page/problem.tsx'
import ui from '../ui/ui.module.css'
import { FlagLinks } from './about/flag-links.tsx'
import { FlagTags } from './about/flag-tags.tsx'
import { ACTION_TEXTS } from './action-texts.ts'
import { DependencyList } from './dependencies/dependency-list.tsx'
import { EnvironmentColumns } from './environment-columns.tsx'
import styles from './flag.module.css'
import { FlagActions } from './flag-actions.tsx'
import { FlagPeople } from './people/flag-people.tsx'
import { type FlagPageSearch, TABS, type Tab } from './search-params.ts'
import { type TestResults, TestResultsContext } from './testing/test-results.ts'
import { FLAG_TEXTS } from './texts.ts'
import { LastReport } from './usage/usage-sparkline.tsx'
import { ValueTypes } from './value-types.tsx'

const CodePanel = lazyPart('CodePanel', async () => (await import('./code/code-panel.tsx')).CodePanel)
const FlagComments = lazyPart('FlagComments', async () => (await import('./flag-comments.tsx')).FlagComments)
const History = lazyPart('History', async () => (await import('./history-tab.tsx')).FlagHistoryTab)
const ManagedBanner = lazyPart(
  'ManagedBanner',
  async () => (await import('../managed/managed-banner.tsx')).ManagedBanner,
)
const TestPanel = lazyDialog('TestPanel', async () => (await import('./testing/test-panel.tsx')).TestPanel)
const Usage = lazyPart('Usage', async () => (await import('./usage/usage.tsx')).Usage)
const route = getRouteApi('/app/projects/$project/features/$feature')

/** Page of one flag with its environments, comments, history, usage and code. */
export function FlagPage() {
  const { project, feature } = route.useParams()
  return (
    <ProjectBoundary project={project}>
      <LoadedFlag key={feature} project={project} feature={feature} />
    </ProjectBoundary>
  )
}

function LoadedFlag({ project, feature }: FlagRef) {
  const t = useTexts(FLAG_TEXTS)
  const { data, error, refetch } = useQuery(getFlagQuery({ project, feature }))
  const projectName = useProjectName(useIdleOnce())
  const back = (
    <Link to="/projects/$project" params={{ project }} className={ui.link ?? ''}>
      ← {t.nav.flags}
    </Link>
  )
  const isGone = isNotFound(error)
  const { event, at } = route.useSearch()
  const isOfPast = event !== undefined || at !== undefined
  const isOpen = data !== undefined && !isGone
  useEffect(() => {
    if (isOpen) recordOpenedFlag({ project, feature })
    if (isGone) removeRecentFlag(feature)
  }, [isOpen, isGone, project, feature])
  if (isGone && isOfPast) {
    return (
      <Page title={feature} back={back}>
        <History fallback={undefined} project={project} feature={feature} isGone />
      </Page>
    )
  }
  if (isGone) return <MissingPage title={t.errors.noFlag(feature, projectName(project))}>{back}</MissingPage>
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
        <FlagSkeleton />
      </Page>
    )
  }
  return <FlagContent flag={data} back={back} />
}

/** Placeholder in the shape of the page: facts, tabs and environments. */
function FlagSkeleton() {
  const t = useTexts()
  return (
    <div role="status" aria-label={t.common.loading}>
      <Skeleton height={18} width="40%" mt="md" />
      <Skeleton height={30} width={360} maw="100%" mt="lg" />
      <div className={styles.columns}>
        <Skeleton height={220} mt="md" />
        <Skeleton height={220} mt="md" />
      </div>
    </div>
  )
}

function FlagContent({ flag, back }: { flag: AdminFeature; back: React.ReactNode }) {
  const t = useTexts(FLAG_TEXTS)
  const { project, name: feature } = flag
  const { tab } = route.useSearch()
  const navigate = useNavigate()
  const [isTesting, setTesting] = useState(false)
  const [results, report] = useState<TestResults>(() => new Map())
  const test = (): void => {
    setTesting(!isTesting)
    // The test panel marks results at the strategies, which only the environments tab shows.
    const isElsewhere = !isTesting && tab !== undefined && tab !== 'environments'
    if (isElsewhere) void navigate({ to: '/projects/$project/features/$feature', params: { project, feature } })
  }
  return (
    <Page
      title={feature}
      back={back}
      isWide
      beside={<Summary flag={flag} />}
      actions={<Actions flag={flag} isTesting={isTesting} test={test} />}
    >
      <Drafts project={project} feature={feature} />
      {flag.archived && (
        <Alert color="yellow" title={t.flag.archived} mb="md">
          {t.flag.archivedText}
        </Alert>
      )}
      {flag.managedBy !== undefined && <ManagedBanner managedBy={flag.managedBy} />}
      <ValueTypes flag={flag} />
      <TestResultsContext value={results}>
        <div className={styles.layout} data-testing={isTesting || undefined}>
          <About flag={flag} />
          <FlagTabs flag={flag} />
          {isTesting && <TestPanel flag={flag} report={report} close={() => setTesting(false)} />}
        </div>
      </TestResultsContext>
    </Page>
  )
}

interface ActionsProps {
  readonly flag: AdminFeature
  readonly isTesting: boolean
  readonly test: () => void
}

function Actions({ flag, isTesting, test }: ActionsProps) {
  const words = useCatalogue(ACTION_TEXTS)
  return (
    <Group>
      {!flag.archived && (
        <Button variant="default" aria-expanded={isTesting} onClick={test}>
          {words.test}
        </Button>
      )}
      <FlagActions flag={flag} />
    </Group>
  )
}

/** Type, stage and creator of a flag, next to its name. */
function Summary({ flag }: { flag: AdminFeature }) {
  const t = useTexts(FLAG_TEXTS)
  return (
    <span className={styles.summary}>
      <Badge variant="default" tt="none">
        {t.types[flag.type] ?? flag.type}
      </Badge>
      <Stage flag={flag} />
      <StaleBadge flag={flag} />
      {flag.createdBy !== null && (
        <span className={styles.owner} title={t.flag.createdBy(flag.createdBy.name)}>
          <AuthorName author={{ id: flag.createdBy.id, username: flag.createdBy.name }} />
        </span>
      )}
      <FlagPeople project={flag.project} feature={flag.name} />
    </span>
  )
}

const ABOUT_KEY = 'burgee-about'
/** Window width below which this part is collapsed, because it would push the environments off the first screen. */
const NARROW = '(max-width: 600px)'

function isAboutOpen(): boolean {
  const stored = localStorage.getItem(ABOUT_KEY)
  return stored === null ? !matchMedia(NARROW).matches : stored === 'open'
}

/**
 * Section with the description, tags, links and dependencies of a flag. The user can collapse the section, and the
 * browser stores this choice.
 */
function About({ flag }: { flag: AdminFeature }) {
  const t = useTexts(FLAG_TEXTS)
  const { date } = useFormat()
  const [isOpen] = useState(isAboutOpen)
  return (
    <section className={styles.about} aria-label={t.flag.details}>
      <details
        open={isOpen}
        onToggle={(event) => localStorage.setItem(ABOUT_KEY, event.currentTarget.open ? 'open' : 'closed')}
      >
        <summary className={styles.aboutHead}>{t.flag.about}</summary>
        <p className={styles.description}>{flag.description || t.flag.noDescription}</p>
        <div className={styles.facts}>
          <span>{t.flag.created(date(flag.createdAt))}</span>
          {isOverdue(flag) && <Lifetime type={flag.type} />}
          <LastReport at={flag.lastSeenAt} />
          <FlagTags flag={flag} />
          <FlagLinks flag={flag} />
          <DependencyList flag={flag} />
        </div>
      </details>
    </section>
  )
}

function Lifetime({ type }: { type: string }) {
  const lifetime = useLifetime(type)
  return lifetime !== undefined && <span>{lifetime}</span>
}

function FlagTabs({ flag }: { flag: AdminFeature }) {
  const t = useTexts(FLAG_TEXTS)
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
          <Tabs.Tab key={one} value={one} className={styles.tab ?? ''}>
            {one === 'comments' ? <CommentsTab project={project} feature={feature} /> : t.flag[one]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="environments">
        <EnvironmentColumns flag={flag} />
      </Tabs.Panel>
      <Tabs.Panel value="comments">
        <FlagComments fallback={coming} flag={flag} />
      </Tabs.Panel>
      <Tabs.Panel value="history">
        <History fallback={coming} project={project} feature={feature} />
      </Tabs.Panel>
      <Tabs.Panel value="usage">
        <Usage
          fallback={coming}
          flag={flag}
          hours={hours}
          app={app}
          put={(change) => go(dropUndefined({ tab, ...change }), true)}
        />
      </Tabs.Panel>
      <Tabs.Panel value="code">
        <CodePanel fallback={coming} flag={flag} />
      </Tabs.Panel>
    </Tabs>
  )
}

/** Label of the comments tab with the number of comments. */
function CommentsTab(ref: FlagRef) {
  const t = useCatalogue(COMMENT_TEXTS)
  const { data = [] } = useQuery(getCommentsQuery(ref))
  return t.tab(data.length)
}

/** Removes undefined values. */
function dropUndefined(search: { [K in keyof FlagPageSearch]: FlagPageSearch[K] | undefined }): FlagPageSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined))
}
