import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { ApiError, BASE_PATH } from './api/http.ts'
import { readArchiveSearch } from './archive/search-params.ts'
import { readRequestsSearch } from './change-requests/search-params.ts'
import { readEventSearch } from './events/search-params.ts'
import { readFlagPageSearch } from './flag/search-params.ts'
import { FlagsPage } from './flags/flags-page.tsx'
import { readFlagSearch } from './flags/search-params.ts'
import { readInstanceSearch } from './instance/search-params.ts'
import { readPlaygroundSearch } from './playground/search-params.ts'
import { readProfileSearch } from './profile/search-params.ts'
import { readSettingsSearch } from './project-settings/search-params.ts'
import { readProjectsSearch } from './projects/search-params.ts'
import { queries } from './queries.ts'
import { readEditSearch } from './shell/edit-search-params.ts'
import { lastProject } from './shell/project/use-project.ts'
import { NotFound, NothingHere, PageProblem, RouteProblem } from './shell/route-problem.tsx'
import { ME, mustChange } from './shell/session/session.tsx'
import { SessionGuard } from './shell/session/session-guard.tsx'
import { rememberSession } from './shell/session/session-mark.ts'
import { lazyPart } from './ui/loading/lazy-part.tsx'

const isLoggedOut = (error: unknown): boolean => error instanceof ApiError && error.isLoggedOut

/** A page of its own file. */
const page = (name: string, load: () => Promise<ComponentType>) => ({ component: lazyPart(name, load) }) as const

const root = createRootRouteWithContext<{ queries: QueryClient }>()({ component: Root, notFoundComponent: NotFound })

function Root() {
  return (
    <>
      <Outlet />
      <SessionGuard />
    </>
  )
}

const loginRoute = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (given: Record<string, unknown>): { next?: string } =>
    // only a path of this page, never another site
    typeof given.next === 'string' && /^\/(?![/\\])/.test(given.next) ? { next: given.next } : {},
  ...page('LoginPage', async () => (await import('./login/login-page.tsx')).LoginPage),
})

/** The pages that a link for a password opens: for the first one, or for a new one. */
const linkRoutes = (['/new-user', '/reset-password'] as const).map((path) =>
  createRoute({
    getParentRoute: () => root,
    path,
    validateSearch: ({ token, invite }: Record<string, unknown>): { token: string; invite?: string } => ({
      token: String(token ?? ''),
      ...(invite === undefined ? {} : { invite: String(invite) }),
    }),
    ...page('LinkPage', async () => (await import('./login/link-page.tsx')).LinkPage),
  }),
)

/** Everything that needs to know who is there. */
const known = createRoute({
  getParentRoute: () => root,
  id: 'known',
  beforeLoad: async ({ context, location }) => {
    try {
      return { me: await context.queries.ensureQueryData(ME) }
    } catch (error) {
      if (isLoggedOut(error)) throw redirect({ to: '/login', search: { next: location.href } })
      throw error
    }
  },
  errorComponent: RouteProblem,
})

const passwordRoute = createRoute({
  getParentRoute: () => known,
  path: '/password',
  ...page('PasswordPage', async () => (await import('./login/password-page.tsx')).PasswordPage),
})

const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  beforeLoad: async ({ context, location }) => {
    try {
      if (mustChange(await context.queries.ensureQueryData(ME))) throw redirect({ to: '/password' })
      rememberSession()
    } catch (error) {
      if (isLoggedOut(error)) throw redirect({ to: '/login', search: { next: location.href } })
      throw error
    }
  },
  ...page('Shell', async () => (await import('./shell/shell.tsx')).Shell),
  errorComponent: RouteProblem,
})

const start = createRoute({
  getParentRoute: () => app,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/projects/$project', params: { project: lastProject() }, replace: true })
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
  ...page('FlagPage', async () => (await import('./flag/flag-page.tsx')).FlagPage),
})

/** Address that replies of the playground name for a strategy. */
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
  createRoute({
    ...lazy,
    path: '/single-sign-on',
    ...page(
      'SingleSignOnPage',
      async () => (await import('./single-sign-on/single-sign-on-page.tsx')).SingleSignOnPage,
    ),
  }),
  createRoute({
    ...lazy,
    path: '/import',
    ...page('ImportPage', async () => (await import('./import/import-page.tsx')).ImportPage),
  }),
  createRoute({
    ...lazy,
    path: '/instance',
    validateSearch: readInstanceSearch,
    ...page('InstancePage', async () => (await import('./instance/instance-page.tsx')).InstancePage),
  }),
  createRoute({
    ...lazy,
    path: '/profile',
    validateSearch: readProfileSearch,
    ...page('ProfilePage', async () => (await import('./profile/profile-page.tsx')).ProfilePage),
  }),
  // whoever is logged in keeps the frame at an address that means nothing
  createRoute({ ...lazy, path: '$', component: NothingHere }),
] as const

const tree = root.addChildren([
  loginRoute,
  ...linkRoutes,
  known.addChildren([passwordRoute]),
  app.addChildren([start, flagsRoute, flagRoute, strategyRoute, ...pages]),
])

/** Addresses and what they show. */
export const router = createRouter({
  routeTree: tree,
  context: { queries },
  basepath: BASE_PATH === '' ? '/' : BASE_PATH,
  defaultErrorComponent: PageProblem,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
