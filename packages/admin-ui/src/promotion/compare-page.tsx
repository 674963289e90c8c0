import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import { fetchProjectEnvironments } from '../api/project-settings.ts'
import { isLive } from '../shell/environment/production.ts'
import { ProjectBoundary } from '../shell/project/project-boundary.tsx'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { Loaded } from '../ui/page/list-page.tsx'
import { Page } from '../ui/page/page.tsx'
import { Notice } from '../ui/page/problem.tsx'
import ui from '../ui/ui.module.css'
import { CompareList } from './compare-list.tsx'
import { EnvironmentPairFields } from './environment-pair-fields.tsx'
import styles from './promotion.module.css'
import type { CompareSearch, EnvironmentPair } from './search-params.ts'
import { PROMOTION_TEXTS } from './texts.ts'

const route = getRouteApi('/app/projects/$project/compare')

/** Page that compares the flags of a project in two environments and lets the user make them equal. */
export function ComparePage() {
  const { project } = route.useParams()
  return (
    <ProjectBoundary project={project}>
      <Compare project={project} />
    </ProjectBoundary>
  )
}

function Compare({ project }: { project: string }) {
  const t = useTexts()
  const own = useCatalogue(PROMOTION_TEXTS)
  const search = route.useSearch()
  const navigate = useNavigate()
  const go = (next: CompareSearch): void =>
    void navigate({ to: '/projects/$project/compare', params: { project }, search: next, replace: true })
  const answer = useQuery({
    queryKey: ['project-environments', project],
    queryFn: () => fetchProjectEnvironments(project),
  })
  const back = (
    <Link to="/projects/$project" params={{ project }} className={ui.link ?? ''}>
      ← {t.nav.flags}
    </Link>
  )
  return (
    <div className={styles.page}>
      <Page title={own.title} back={back}>
        <p className={styles.intro}>{own.intro}</p>
        <Loaded answer={answer}>
          {(all) => {
            const used = all.filter(({ visible }) => visible)
            const places = selectEnvironmentPair(search, used)
            return places === undefined ? (
              <Notice title={own.oneEnvironment}>{own.oneEnvironmentText}</Notice>
            ) : (
              <>
                <EnvironmentPairFields names={used.map(({ name }) => name)} places={places} search={search} go={go} />
                <CompareList
                  key={`${places.from} ${places.to}`}
                  compared={{ project, ...places, flags: search.flags?.split(',') }}
                  isWhole={search.equal === true}
                  setWhole={(equal) => go(equal ? { ...search, equal } : dropFlag(search, 'equal'))}
                  showAll={() => go(dropFlag(search, 'flags'))}
                />
              </>
            )
          }}
        </Loaded>
      </Page>
    </div>
  )
}

function dropFlag(search: CompareSearch, name: keyof CompareSearch): CompareSearch {
  return Object.fromEntries(Object.entries(search).filter(([key]) => key !== name))
}

type UsedEnvironments = readonly { readonly name: string; readonly type: string }[]

/**
 * Returns the environments named in the URL if the project uses both, otherwise a default pair with production as the
 * target. Returns undefined if the project uses only one environment.
 */
function selectEnvironmentPair({ from, to }: CompareSearch, used: UsedEnvironments): EnvironmentPair | undefined {
  const known = (name: string | undefined) => used.find((one) => one.name === name)?.name
  const target =
    known(to) ?? used.find((one) => isLive(one) && one.name !== from)?.name ?? findOtherEnvironment(used, from)
  const source = known(from) ?? findOtherEnvironment(used, target)
  if (target === undefined || source === undefined) return undefined
  return source === target ? undefined : { from: source, to: target }
}

const findOtherEnvironment = (used: UsedEnvironments, name: string | undefined): string | undefined =>
  used.find((one) => one.name !== name)?.name
