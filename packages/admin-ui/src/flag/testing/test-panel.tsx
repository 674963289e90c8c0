import type { AdminFeature } from '@burgee/protocol/admin-feature'
import type { PlaygroundRequest } from '@burgee/protocol/playground'
import { Button, CloseButton, Title } from '@mantine/core'
import { useDebouncedValue, useMediaQuery } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { evaluatePlayground } from '../../api/playground.ts'
import { SEGMENTS } from '../../api/queries.ts'
import { ResultSummary } from '../../playground/explanation.tsx'
import { toPlaygroundContext, toPlaygroundFields } from '../../playground/search-params.ts'
import { useCatalogue, useTexts } from '../../text/texts.tsx'
import { SidePanel } from '../../ui/dialog/side-panel.tsx'
import { useEscape } from '../../ui/dialog/use-escape.ts'
import { useReturnFocus } from '../../ui/dialog/use-return-focus.ts'
import { ProblemNotice } from '../../ui/page/problem.tsx'
import ui from '../../ui/ui.module.css'
import { listReadContextFields } from '../code/used-context-fields.ts'
import { sortProductionFirst } from '../environments/chosen-environment.ts'
import { Overrides } from './overrides.tsx'
import { PeopleBar } from './people-bar.tsx'
import type { TestContext } from './saved-people.ts'
import { TestFields } from './test-fields.tsx'
import { type TestResults, toTestResults } from './test-results.ts'
import styles from './testing.module.css'
import { TESTING_TEXTS } from './texts.ts'

const DEBOUNCE_MS = 250
/** Window width below which the panel covers the strategies instead of standing next to them. */
const NARROW = '(max-width: 900px)'

interface Props {
  readonly flag: AdminFeature
  /** Called with the results of all strategies, so that conditions that are not met can be marked there. */
  readonly report: (results: TestResults) => void
  readonly close: () => void
}

/** Panel next to the strategies that evaluates a flag in every environment for the context that the user types in. */
export function TestPanel(props: Props) {
  const t = useCatalogue(TESTING_TEXTS)
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })
  if (!isNarrow) return <AsidePanel {...props} />
  return (
    <SidePanel title={t.title} close={props.close}>
      <PanelContent {...props} />
    </SidePanel>
  )
}

function AsidePanel(props: Props) {
  const t = useCatalogue(TESTING_TEXTS)
  const { common } = useTexts()
  const panel = useRef<HTMLElement>(null)
  useReturnFocus()
  useEscape(props.close)
  useEffect(() => {
    const first = panel.current?.querySelector('input') ?? panel.current?.querySelector('h2')
    first?.focus()
  }, [])
  return (
    <aside ref={panel} className={styles.panel} aria-labelledby="test-panel">
      <header className={styles.head}>
        <Title order={2} size="h5" id="test-panel" tabIndex={-1}>
          {t.title}
        </Title>
        <CloseButton aria-label={common.close} onClick={props.close} />
      </header>
      <PanelContent {...props} />
    </aside>
  )
}

function PanelContent({ flag, report }: Props) {
  const t = useCatalogue(TESTING_TEXTS)
  const { data: segments = [] } = useQuery(SEGMENTS)
  const [context, put] = useState<TestContext>({})
  const used = new Set(flag.environments.flatMap(({ strategies }) => strategies.flatMap((one) => one.segments)))
  const usedSegments = segments.filter(({ id }) => used.has(id))
  const names = listReadContextFields(flag, usedSegments).filter((name) => name !== 'environment')
  const environments = sortProductionFirst(flag.environments).map(({ name }) => name)
  const read = Object.fromEntries(names.map((name) => [name, context[name] ?? '']))
  return (
    <div className={styles.content} data-typed={Object.values(read).some((value) => value !== '') || undefined}>
      <p className={styles.intro}>{names.length === 0 ? t.nothingRead : t.intro}</p>
      {names.length > 0 && <PeopleBar context={context} put={put} />}
      <TestFields names={names} context={context} put={put} />
      <div className={styles.actions}>
        <Link
          to="/playground"
          search={{
            project: flag.project,
            q: flag.name,
            envs: environments.join(','),
            ...toPlaygroundFields(read),
          }}
          className={ui.link ?? ''}
        >
          {t.openPlayground}
        </Link>
        {Object.values(context).some((value) => value !== '') && (
          <Button size="compact-xs" variant="subtle" onClick={() => put({})}>
            {t.clear}
          </Button>
        )}
      </div>
      <TestOutcomes
        flag={flag}
        environments={environments}
        context={read}
        basis={[flag.environments, usedSegments]}
        report={report}
      />
      <Overrides flag={flag} userId={context.userId ?? ''} />
    </div>
  )
}

interface OutcomesProps extends Pick<Props, 'flag' | 'report'> {
  readonly environments: readonly string[]
  readonly context: TestContext
  /** Rules that determine the results. If they change, results are requested again. */
  readonly basis: unknown
}

/** Result in each environment, production first, updated when the user pauses typing. */
function TestOutcomes({ flag, environments, context, basis, report }: OutcomesProps) {
  const t = useCatalogue(TESTING_TEXTS)
  const { project, name } = flag
  const [settled] = useDebouncedValue(JSON.stringify(context), DEBOUNCE_MS)
  const body: PlaygroundRequest = {
    environments: [...environments],
    projects: [project],
    features: [name],
    context: toPlaygroundContext(JSON.parse(settled) as TestContext),
  }
  const { data, error, refetch } = useQuery({
    queryKey: ['playground', body, basis],
    queryFn: () => evaluatePlayground(body),
    enabled: environments.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const feature = data?.features.find((one) => one.name === name)
  useEffect(() => {
    report(toTestResults(feature))
    return () => report(new Map())
  }, [feature, report])
  if (error !== null) return <ProblemNotice error={error} retry={() => void refetch()} />
  return (
    <section aria-label={t.results} aria-live="polite" className={styles.results}>
      {environments.flatMap((environment) =>
        (feature?.environments[environment] ?? []).map((result, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: equal contexts have equal results
          <ResultSummary key={`${environment} ${index}`} result={result} label={t.resultIn(environment)} />
        )),
      )}
    </section>
  )
}
