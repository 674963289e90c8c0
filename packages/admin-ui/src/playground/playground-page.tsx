import type { PlaygroundRequest, PlaygroundResponse } from '@burgee/protocol/playground'
import { Alert, Button, CopyButton, Skeleton, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi, useLocation, useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import { BASE_PATH } from '../api/http.ts'
import { evaluatePlayground } from '../api/playground.ts'
import { useCatalogue, useFormat, useTexts } from '../text/texts.tsx'
import { Page } from '../ui/page/page.tsx'
import { Notice, ProblemNotice } from '../ui/page/problem.tsx'
import { ExplanationPanel } from './explanation.tsx'
import styles from './playground.module.css'
import { PlaygroundForm } from './playground-form.tsx'
import { Results } from './results.tsx'
import { type PlaygroundSearch, parseProperties, toPlaygroundContext } from './search-params.ts'
import { PLAYGROUND_TEXTS } from './texts.ts'

const route = getRouteApi('/app/playground')

/** Page that evaluates flags for a context in several environments, with explanations. */
export function PlaygroundPage() {
  const { common } = useTexts()
  const t = useCatalogue(PLAYGROUND_TEXTS)
  const search = route.useSearch()
  const navigate = useNavigate()
  const request = toPlaygroundRequest(search)
  const { data, error, refetch } = useQuery({
    queryKey: ['playground', request],
    queryFn: () => evaluatePlayground(request),
    enabled: request.environments.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const go = (next: PlaygroundSearch, replace = false): void =>
    void navigate({ to: '/playground', search: next, replace })
  const results = useRef<HTMLElement>(null)
  const run = (next: PlaygroundSearch): void => {
    go(next)
    // On narrow screens the results are below the form, and after scrolling down the form they are above it; both are
    // out of view.
    const top = results.current?.getBoundingClientRect().top ?? 0
    if (top < 0 || top > innerHeight / 2) results.current?.scrollIntoView()
  }
  const { flag: _, ...rest } = search
  const explained = data?.features.find(({ name }) => name === search.flag)
  const ignored = data?.warnings?.invalidContextProperties
  const unknown = data?.warnings?.unknownFlags
  return (
    <Page
      title={t.title}
      actions={request.environments.length > 0 && <CopyUrlButton />}
      intro={
        <Text c="dimmed" mb="md">
          {t.intro}
        </Text>
      }
    >
      <div className={styles.layout}>
        <PlaygroundForm key={getFormKey(search)} search={search} used={listUsedFields(data)} run={run} />
        <section className={styles.results} aria-label={t.result} ref={results}>
          <PastNotice search={search} />
          {ignored && <Alert color="yellow">{t.ignored(ignored.join(', '))}</Alert>}
          {unknown && (
            <Alert color="yellow" role="status">
              {t.unknownThen(unknown.map(({ name }) => name).join(', '))}
            </Alert>
          )}
          {request.environments.length === 0 ? (
            <Notice title={t.empty}>{t.emptyText}</Notice>
          ) : error !== null ? (
            <ProblemNotice error={error} retry={() => void refetch()} />
          ) : data === undefined ? (
            <Skeleton height={320} role="status" aria-label={common.loading} />
          ) : (
            <Results response={data} search={search} go={go} />
          )}
        </section>
      </div>
      {explained && <ExplanationPanel feature={explained} close={() => go(rest)} />}
    </Page>
  )
}

/** Notice that flags are evaluated in a past state. */
function PastNotice({ search: { event, at } }: { search: PlaygroundSearch }) {
  const t = useCatalogue(PLAYGROUND_TEXTS)
  const { time } = useFormat()
  if (event === undefined && at === undefined) return null
  const isTime = at !== undefined && !Number.isNaN(Date.parse(at))
  const title = event !== undefined ? t.asOfEvent(event) : t.asOfTitle(isTime ? time(at) : (at ?? ''))
  return (
    <Alert color="yellow" title={title} role="status" mb="sm">
      {t.asOfText}
    </Alert>
  )
}

/** Button that copies the URL, which contains all inputs. */
function CopyUrlButton() {
  const t = useCatalogue(PLAYGROUND_TEXTS)
  const { href } = useLocation()
  return (
    <CopyButton value={`${location.origin}${BASE_PATH}${href}`}>
      {({ copied, copy }) => (
        <Button variant="default" onClick={copy} aria-live="polite">
          {copied ? t.shared : t.share}
        </Button>
      )}
    </CopyButton>
  )
}

/** Returns the sorted names of context fields that the rules of the returned flags use. */
function listUsedFields(response: PlaygroundResponse | undefined): string[] {
  const names = new Set<string>()
  for (const { environments } of response?.features ?? []) {
    for (const { strategies } of Object.values(environments).flat()) {
      for (const { constraints, segments } of strategies.data) {
        for (const one of [...constraints, ...segments.flatMap((segment) => segment.constraints)]) {
          names.add(one.contextName)
        }
      }
    }
  }
  return [...names].sort()
}

/** Returns a React key for the form. The key changes if the URL changes to different inputs, which resets the form. */
function getFormKey({ q: _q, flag: _flag, ...rest }: PlaygroundSearch): string {
  return JSON.stringify(rest)
}

function toPlaygroundRequest(search: PlaygroundSearch): PlaygroundRequest {
  const { envs = '', project, props, event, at, q: _q, flag: _flag, ...fields } = search
  return {
    environments: envs.split(',').filter((name) => name !== ''),
    projects: project === undefined ? '*' : [project],
    context: toPlaygroundContext({ ...Object.fromEntries(parseProperties(props)), ...fields }),
    ...(event === undefined ? {} : { event: Number(event) }),
    ...(at === undefined ? {} : { at }),
  }
}
