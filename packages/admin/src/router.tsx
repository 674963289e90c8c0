import { createRoute, createRouter, redirect } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { BASE_PATH } from './api/http.ts'
import { flagQuery, PROJECTS } from './api/queries.ts'
import { readApplicationsSearch } from './applications/search-params.ts'
import { readArchiveSearch } from './archive/search-params.ts'
import { readRequestsSearch } from './change-requests/search-params.ts'
import { readConnectSearch } from './connect/search-params.ts'
import { readEventSearch } from './events/search-params.ts'
import { readFlagPageSearch } from './flag/search-params.ts'
import { FlagsPage } from './flags/flags-page.tsx'
import { readFlagSearch } from './flags/search-params.ts'
import { readIntegrationSearch } from './integrations/search-params.ts'
import { readPlaygroundSearch } from './playground/search-params.ts'
import { readProfileSearch } from './profile/search-params.ts'
import { readSettingsSearch } from './project-settings/search-params.ts'
import { readProjectsSearch } from './projects/search-params.ts'
import { readCompareSearch } from './promotion/search-params.ts'
import { queries } from './queries.ts'
import { app, known, linkRoutes, loginRoute, page, passwordRoute, root } from './session-routes.tsx'
import { ComingPage } from './shell/coming.tsx'
import { readEditSearch } from './shell/edit-search-params.ts'
import { lastProject, projectAmong } from './shell/project/last-project.ts'
import { NothingHere, PageProblem } from './shell/route-problem.tsx'
import { readStaleSearch } from './stale/search-params.ts'

/**
 * Delay in milliseconds before the loading placeholder appears: short enough to avoid a blank page on slow connections,
 * long enough to avoid flicker on fast ones.
 */
const PENDING_MS = 150

const start = createRoute({
  getParentRoute: () => app,
  path: '/',
  // The list of this project is already being prefetched. If the user cannot see the project, the page redirects to
  // another one.
  beforeLoad: ({ context }) => {
    const guess = lastProject()
    const all = context.queries.getQueryData<Awaited<ReturnType<typeof PROJECTS.queryFn>>>(PROJECTS.queryKey)
    const project = projectAmong(all ?? [], guess) ?? guess
    throw redirect({ to: '/projects/$project', params: { project }, replace: true, state: { isGuess: true } })
  },
})

const flagsRoute = createRoute({
  getParentRoute: () => app,
  path: '/projects/$project',
  validateSearch: readFlagSearch,
  component: FlagsPage,
})

const flagRoute = createRoute({
  getParentRoute: () => app,
  path: '/projects/$project/features/$feature',
  validateSearch: readFlagPageSearch,
  // Loads the data in parallel with the scripts, but not when the user only hovers over a link.
  beforeLoad: ({ params: { project, feature }, cause }) => {
    if (cause === 'enter') void queries.prefetchQuery(flagQuery({ project, feature }))
  },
  ...page('FlagPage', async () => (await import('./flag/flag-page.tsx')).FlagPage),
})

/** URL of a strategy in playground responses. */
const strategyRoute = createRoute({
  getParentRoute: () => app,
  path: '/projects/$project/features/$feature/strategies/edit',
  validateSearch: (given: Record<string, unknown>) => ({
    environmentId: String(given.environmentId ?? ''),
    strategyId: String(given.strategyId ?? ''),
  }),
  beforeLoad: ({ params, search: { environmentId: env, strategyId: strategy } }) => {
    throw redirect({ to: '/projects/$project/features/$feature', params, search: { env, strategy } })
  },
})

const lazy = { getParentRoute: () => app } as const
/** Creates a route without URL parameters. */
const plain = <const P extends string>(path: P, name: string, load: () => Promise<ComponentType>) =>
  createRoute({ ...lazy, path, ...page(name, load) })
const pages = [
  createRoute({
    ...lazy,
    path: '/segments',
    validateSearch: readEditSearch,
    ...page('SegmentsPage', async () => (await import('./segments/segments-page.tsx')).SegmentsPage),
  }),
  createRoute({
    ...lazy,
    path: '/context-fields',
    validateSearch: readEditSearch,
    ...page(
      'ContextFieldsPage',
      async () => (await import('./context-fields/context-fields-page.tsx')).ContextFieldsPage,
    ),
  }),
  createRoute({
    ...lazy,
    path: '/tag-types',
    validateSearch: readEditSearch,
    ...page('TagTypesPage', async () => (await import('./tag-types/tag-types-page.tsx')).TagTypesPage),
  }),
  createRoute({
    ...lazy,
    path: '/strategy-types',
    validateSearch: readEditSearch,
    ...page(
      'StrategyTypesPage',
      async () => (await import('./strategy-types/strategy-types-page.tsx')).StrategyTypesPage,
    ),
  }),
  createRoute({
    ...lazy,
    path: '/tokens',
    validateSearch: ({ create }: Record<string, unknown>): { create?: boolean } => (create === true ? { create } : {}),
    ...page('TokensPage', async () => (await import('./tokens/tokens-page.tsx')).TokensPage),
  }),
  createRoute({
    ...lazy,
    path: '/connect',
    validateSearch: readConnectSearch,
    ...page('ConnectPage', async () => (await import('./connect/connect-page.tsx')).ConnectPage),
  }),
  createRoute({
    ...lazy,
    path: '/integrations',
    validateSearch: readIntegrationSearch,
    ...page('IntegrationsPage', async () => (await import('./integrations/integrations-page.tsx')).IntegrationsPage),
  }),
  createRoute({
    ...lazy,
    path: '/events',
    validateSearch: readEventSearch,
    ...page('EventsPage', async () => (await import('./events/events-page.tsx')).EventsPage),
  }),
  createRoute({
    ...lazy,
    path: '/environments',
    validateSearch: readEditSearch,
    ...page('EnvironmentsPage', async () => (await import('./environments/environments-page.tsx')).EnvironmentsPage),
  }),
  createRoute({
    ...lazy,
    path: '/playground',
    validateSearch: readPlaygroundSearch,
    ...page('PlaygroundPage', async () => (await import('./playground/playground-page.tsx')).PlaygroundPage),
  }),
  createRoute({
    ...lazy,
    path: '/projects',
    validateSearch: readProjectsSearch,
    ...page('ProjectsPage', async () => (await import('./projects/projects-page.tsx')).ProjectsPage),
  }),
  createRoute({
    ...lazy,
    path: '/projects/$project/settings',
    validateSearch: readSettingsSearch,
    ...page('SettingsPage', async () => (await import('./project-settings/settings-page.tsx')).SettingsPage),
  }),
  createRoute({
    ...lazy,
    path: '/projects/$project/compare',
    validateSearch: readCompareSearch,
    ...page('ComparePage', async () => (await import('./promotion/compare-page.tsx')).ComparePage),
  }),
  createRoute({
    ...lazy,
    path: '/projects/$project/insights',
    ...page('InsightsPage', async () => (await import('./insights/insights-page.tsx')).InsightsPage),
  }),
  createRoute({
    ...lazy,
    path: '/projects/$project/change-requests/',
    validateSearch: readRequestsSearch,
    ...page('RequestsPage', async () => (await import('./change-requests/requests-page.tsx')).RequestsPage),
  }),
  createRoute({
    ...lazy,
    path: '/projects/$project/change-requests/$request',
    ...page('RequestPage', async () => (await import('./change-requests/request-page.tsx')).RequestPage),
  }),
  createRoute({
    ...lazy,
    path: '/stale',
    validateSearch: readStaleSearch,
    ...page('StalePage', async () => (await import('./stale/stale-page.tsx')).StalePage),
  }),
  createRoute({
    ...lazy,
    path: '/applications/',
    validateSearch: readApplicationsSearch,
    ...page('ApplicationsPage', async () => (await import('./applications/application-list.tsx')).ApplicationsPage),
  }),
  createRoute({
    ...lazy,
    path: '/applications/$application',
    ...page('ApplicationPage', async () => (await import('./applications/application-page.tsx')).ApplicationPage),
  }),
  createRoute({
    ...lazy,
    path: '/archive',
    validateSearch: readArchiveSearch,
    ...page('ArchivePage', async () => (await import('./archive/archive-page.tsx')).ArchivePage),
  }),
  createRoute({
    ...lazy,
    path: '/users',
    validateSearch: readEditSearch,
    ...page('UsersPage', async () => (await import('./users/users-page.tsx')).UsersPage),
  }),
  createRoute({
    ...lazy,
    path: '/invite-links',
    validateSearch: readEditSearch,
    ...page('InviteLinksPage', async () => (await import('./invite-links/invite-links-page.tsx')).InviteLinksPage),
  }),
  createRoute({
    ...lazy,
    path: '/groups',
    validateSearch: readEditSearch,
    ...page('GroupsPage', async () => (await import('./groups/groups-page.tsx')).GroupsPage),
  }),
  createRoute({
    ...lazy,
    path: '/service-accounts',
    validateSearch: readEditSearch,
    ...page(
      'ServiceAccountsPage',
      async () => (await import('./service-accounts/service-accounts-page.tsx')).ServiceAccountsPage,
    ),
  }),
  createRoute({
    ...lazy,
    path: '/roles',
    validateSearch: readEditSearch,
    ...page('RolesPage', async () => (await import('./roles/roles-page.tsx')).RolesPage),
  }),
  plain(
    '/single-sign-on',
    'SingleSignOnPage',
    async () => (await import('./single-sign-on/single-sign-on-page.tsx')).SingleSignOnPage,
  ),
  plain('/logins', 'LoginsPage', async () => (await import('./logins/logins-page.tsx')).LoginsPage),
  plain('/import', 'ImportPage', async () => (await import('./import/import-page.tsx')).ImportPage),
  createRoute({
    ...lazy,
    path: '/instance',
    ...page('InstancePage', async () => (await import('./instance/instance-page.tsx')).InstancePage),
  }),
  plain('/help', 'HelpPage', async () => (await import('./help/help-page.tsx')).HelpPage),
  createRoute({
    ...lazy,
    path: '/profile',
    validateSearch: readProfileSearch,
    ...page('ProfilePage', async () => (await import('./profile/profile-page.tsx')).ProfilePage),
  }),
  // Logged-in users keep the page frame at unknown URLs.
  createRoute({ ...lazy, path: '$', component: NothingHere }),
] as const

const tree = root.addChildren([
  loginRoute,
  ...linkRoutes,
  known.addChildren([passwordRoute]),
  app.addChildren([start, flagsRoute, flagRoute, strategyRoute, ...pages]),
])

/** Routes of all pages. */
export const router = createRouter({
  routeTree: tree,
  context: { queries },
  basepath: BASE_PATH === '' ? '/' : BASE_PATH,
  defaultErrorComponent: PageProblem,
  defaultPendingComponent: ComingPage,
  defaultPendingMs: PENDING_MS,
  defaultPendingMinMs: 0,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
