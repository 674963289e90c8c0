import { createRoute, createRouter, redirect } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { BASE_PATH } from './api/http.ts'
import { getFlagQuery } from './api/queries.ts'
import { parseApplicationsSearch } from './applications/search-params.ts'
import { parseArchiveSearch } from './archive/search-params.ts'
import { parseRequestsSearch } from './change-requests/search-params.ts'
import { parseConnectSearch } from './connect/search-params.ts'
import { parseEventSearch } from './events/search-params.ts'
import { parseFlagPageSearch } from './flag/search-params.ts'
import { FlagsPage } from './flags/flags-page.tsx'
import { parseFlagSearch } from './flags/search-params.ts'
import { parseIntegrationSearch } from './integrations/search-params.ts'
import { parseMetricSearch } from './metrics/search-params.ts'
import { parsePlaygroundSearch } from './playground/search-params.ts'
import { parseProfileSearch } from './profile/search-params.ts'
import { parseSettingsSearch } from './project-settings/search-params.ts'
import { parseProjectsSearch } from './projects/search-params.ts'
import { parseCompareSearch } from './promotion/search-params.ts'
import { queries } from './query-client.ts'
import { parseSegmentSearch } from './segments/search-params.ts'
import {
  appRoute,
  createLazyPage,
  linkRoutes,
  loggedInRoute,
  loginRoute,
  passwordRoute,
  rootRoute,
} from './session-routes.tsx'
import { parseEditSearch } from './shell/edit-search-params.ts'
import { PageSkeleton } from './shell/page-skeleton.tsx'
import { NotFoundNotice, PageProblem } from './shell/route-problem.tsx'
import { parseStaleSearch } from './stale/search-params.ts'

/**
 * Delay in milliseconds before the loading placeholder appears. Short enough to avoid a blank page on slow connections,
 * and long enough to avoid flicker on fast ones.
 */
const PENDING_MS = 150

const homeRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/',
  ...createLazyPage('HomePage', async () => (await import('./home/home-page.tsx')).HomePage),
})

const flagsRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/projects/$project',
  validateSearch: parseFlagSearch,
  component: FlagsPage,
})

const flagRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/projects/$project/features/$feature',
  validateSearch: parseFlagPageSearch,
  // Data is loaded in parallel with the scripts, but not while the user only hovers over a link.
  beforeLoad: ({ params: { project, feature }, cause }) => {
    if (cause === 'enter') void queries.prefetchQuery(getFlagQuery({ project, feature }))
  },
  ...createLazyPage('FlagPage', async () => (await import('./flag/flag-page.tsx')).FlagPage),
})

/** URL of a strategy as it appears in playground responses. */
const strategyRoute = createRoute({
  getParentRoute: () => appRoute,
  path: '/projects/$project/features/$feature/strategies/edit',
  validateSearch: (given: Record<string, unknown>) => ({
    environmentId: String(given.environmentId ?? ''),
    strategyId: String(given.strategyId ?? ''),
  }),
  beforeLoad: ({ params, search: { environmentId: env, strategyId: strategy } }) => {
    throw redirect({ to: '/projects/$project/features/$feature', params, search: { env, strategy } })
  },
})

const lazy = { getParentRoute: () => appRoute } as const
/** Creates a route without URL parameters. */
const createPlainRoute = <const P extends string>(path: P, name: string, load: () => Promise<ComponentType>) =>
  createRoute({ ...lazy, path, ...createLazyPage(name, load) })
const pages = [
  createRoute({
    ...lazy,
    path: '/segments',
    validateSearch: parseSegmentSearch,
    ...createLazyPage('SegmentsPage', async () => (await import('./segments/segments-page.tsx')).SegmentsPage),
  }),
  createRoute({
    ...lazy,
    path: '/context-fields',
    validateSearch: parseEditSearch,
    ...createLazyPage(
      'ContextFieldsPage',
      async () => (await import('./context-fields/context-fields-page.tsx')).ContextFieldsPage,
    ),
  }),
  createRoute({
    ...lazy,
    path: '/tag-types',
    validateSearch: parseEditSearch,
    ...createLazyPage('TagTypesPage', async () => (await import('./tag-types/tag-types-page.tsx')).TagTypesPage),
  }),
  createRoute({
    ...lazy,
    path: '/strategy-types',
    validateSearch: parseEditSearch,
    ...createLazyPage(
      'StrategyTypesPage',
      async () => (await import('./strategy-types/strategy-types-page.tsx')).StrategyTypesPage,
    ),
  }),
  createRoute({
    ...lazy,
    path: '/release-templates',
    validateSearch: parseEditSearch,
    ...createLazyPage(
      'ReleaseTemplatesPage',
      async () => (await import('./release-templates/templates-page.tsx')).ReleaseTemplatesPage,
    ),
  }),
  createRoute({
    ...lazy,
    path: '/tokens',
    validateSearch: ({ create }: Record<string, unknown>): { create?: boolean } => (create === true ? { create } : {}),
    ...createLazyPage('TokensPage', async () => (await import('./tokens/tokens-page.tsx')).TokensPage),
  }),
  createRoute({
    ...lazy,
    path: '/connect',
    validateSearch: parseConnectSearch,
    ...createLazyPage('ConnectPage', async () => (await import('./connect/connect-page.tsx')).ConnectPage),
  }),
  createRoute({
    ...lazy,
    path: '/integrations',
    validateSearch: parseIntegrationSearch,
    ...createLazyPage(
      'IntegrationsPage',
      async () => (await import('./integrations/integrations-page.tsx')).IntegrationsPage,
    ),
  }),
  createRoute({
    ...lazy,
    path: '/events',
    validateSearch: parseEventSearch,
    ...createLazyPage('EventsPage', async () => (await import('./events/events-page.tsx')).EventsPage),
  }),
  createRoute({
    ...lazy,
    path: '/environments',
    validateSearch: parseEditSearch,
    ...createLazyPage(
      'EnvironmentsPage',
      async () => (await import('./environments/environments-page.tsx')).EnvironmentsPage,
    ),
  }),
  createRoute({
    ...lazy,
    path: '/playground',
    validateSearch: parsePlaygroundSearch,
    ...createLazyPage('PlaygroundPage', async () => (await import('./playground/playground-page.tsx')).PlaygroundPage),
  }),
  createRoute({
    ...lazy,
    path: '/projects',
    validateSearch: parseProjectsSearch,
    ...createLazyPage('ProjectsPage', async () => (await import('./projects/projects-page.tsx')).ProjectsPage),
  }),
  createRoute({
    ...lazy,
    path: '/projects/$project/settings',
    validateSearch: parseSettingsSearch,
    ...createLazyPage('SettingsPage', async () => (await import('./project-settings/settings-page.tsx')).SettingsPage),
  }),
  createRoute({
    ...lazy,
    path: '/projects/$project/compare',
    validateSearch: parseCompareSearch,
    ...createLazyPage('ComparePage', async () => (await import('./promotion/compare-page.tsx')).ComparePage),
  }),
  createRoute({
    ...lazy,
    path: '/projects/$project/insights',
    ...createLazyPage('InsightsPage', async () => (await import('./insights/insights-page.tsx')).InsightsPage),
  }),
  createRoute({
    ...lazy,
    path: '/projects/$project/change-requests/',
    validateSearch: parseRequestsSearch,
    ...createLazyPage('RequestsPage', async () => (await import('./change-requests/requests-page.tsx')).RequestsPage),
  }),
  createRoute({
    ...lazy,
    path: '/projects/$project/change-requests/$request',
    ...createLazyPage('RequestPage', async () => (await import('./change-requests/request-page.tsx')).RequestPage),
  }),
  createRoute({
    ...lazy,
    path: '/stale',
    validateSearch: parseStaleSearch,
    ...createLazyPage('StalePage', async () => (await import('./stale/stale-page.tsx')).StalePage),
  }),
  createRoute({
    ...lazy,
    path: '/signal-endpoints',
    validateSearch: parseEditSearch,
    ...createLazyPage('SignalsPage', async () => (await import('./signals/signals-page.tsx')).SignalsPage),
  }),
  createRoute({
    ...lazy,
    path: '/metrics',
    validateSearch: parseMetricSearch,
    ...createLazyPage('MetricsPage', async () => (await import('./metrics/metrics-page.tsx')).MetricsPage),
  }),
  createRoute({
    ...lazy,
    path: '/fleet',
    ...createLazyPage('FleetPage', async () => (await import('./fleet/fleet-page.tsx')).FleetPage),
  }),
  createRoute({
    ...lazy,
    path: '/applications/',
    validateSearch: parseApplicationsSearch,
    ...createLazyPage(
      'ApplicationsPage',
      async () => (await import('./applications/application-list.tsx')).ApplicationsPage,
    ),
  }),
  createRoute({
    ...lazy,
    path: '/applications/$application',
    ...createLazyPage(
      'ApplicationPage',
      async () => (await import('./applications/application-page.tsx')).ApplicationPage,
    ),
  }),
  createRoute({
    ...lazy,
    path: '/archive',
    validateSearch: parseArchiveSearch,
    ...createLazyPage('ArchivePage', async () => (await import('./archive/archive-page.tsx')).ArchivePage),
  }),
  createRoute({
    ...lazy,
    path: '/users',
    validateSearch: parseEditSearch,
    ...createLazyPage('UsersPage', async () => (await import('./users/users-page.tsx')).UsersPage),
  }),
  createRoute({
    ...lazy,
    path: '/invite-links',
    validateSearch: parseEditSearch,
    ...createLazyPage(
      'InviteLinksPage',
      async () => (await import('./invite-links/invite-links-page.tsx')).InviteLinksPage,
    ),
  }),
  createRoute({
    ...lazy,
    path: '/groups',
    validateSearch: parseEditSearch,
    ...createLazyPage('GroupsPage', async () => (await import('./groups/groups-page.tsx')).GroupsPage),
  }),
  createRoute({
    ...lazy,
    path: '/service-accounts',
    validateSearch: parseEditSearch,
    ...createLazyPage(
      'ServiceAccountsPage',
      async () => (await import('./service-accounts/service-accounts-page.tsx')).ServiceAccountsPage,
    ),
  }),
  createRoute({
    ...lazy,
    path: '/roles',
    validateSearch: parseEditSearch,
    ...createLazyPage('RolesPage', async () => (await import('./roles/roles-page.tsx')).RolesPage),
  }),
  createPlainRoute(
    '/single-sign-on',
    'SingleSignOnPage',
    async () => (await import('./single-sign-on/single-sign-on-page.tsx')).SingleSignOnPage,
  ),
  createPlainRoute('/agents', 'AgentsPage', async () => (await import('./agents/agents-page.tsx')).AgentsPage),
  createPlainRoute('/logins', 'LoginsPage', async () => (await import('./logins/logins-page.tsx')).LoginsPage),
  createPlainRoute('/import', 'ImportPage', async () => (await import('./import/import-page.tsx')).ImportPage),
  createRoute({
    ...lazy,
    path: '/instance',
    ...createLazyPage('InstancePage', async () => (await import('./instance/instance-page.tsx')).InstancePage),
  }),
  createRoute({
    ...lazy,
    path: '/settings',
    beforeLoad: () => {
      throw redirect({ to: '/projects', replace: true })
    },
  }),
  createPlainRoute('/help', 'HelpPage', async () => (await import('./help/help-page.tsx')).HelpPage),
  createRoute({
    ...lazy,
    path: '/profile',
    validateSearch: parseProfileSearch,
    ...createLazyPage('ProfilePage', async () => (await import('./profile/profile-page.tsx')).ProfilePage),
  }),
  // Even at unknown URLs, logged-in users see the page frame.
  createRoute({ ...lazy, path: '$', component: NotFoundNotice }),
] as const

const tree = rootRoute.addChildren([
  loginRoute,
  ...linkRoutes,
  loggedInRoute.addChildren([passwordRoute]),
  appRoute.addChildren([homeRoute, flagsRoute, flagRoute, strategyRoute, ...pages]),
])

/** Routes of all pages. */
export const router = createRouter({
  routeTree: tree,
  context: { queries },
  basepath: BASE_PATH === '' ? '/' : BASE_PATH,
  defaultErrorComponent: PageProblem,
  defaultPendingComponent: PageSkeleton,
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
