import { QueryCache, QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { ApiError, BASE_PATH } from './api/http.ts'
import { readArchiveSearch } from './archive/search.ts'
import { readEventSearch } from './events/search.ts'
import { readFlagPageSearch } from './flag/search.ts'
import { FlagsPage } from './flags/flags-page.tsx'
import { readFlagSearch } from './flags/search.ts'
import { readInstanceSearch } from './instance/search.ts'
import { readPlaygroundSearch } from './playground/search.ts'
import { readProfileSearch } from './profile/search.ts'
import { readSettingsSearch } from './project-settings/search.ts'
import { readProjectsSearch } from './projects/search.ts'
import { readEditSearch } from './ui/edit-search.ts'
import { NotFound, RouteProblem } from './ui/route-problem.tsx'
import { ME, mustChange } from './ui/session.tsx'
import { lastProject } from './ui/use-project.ts'

const UNAUTHORIZED = 401

/** The cache of what the server said. A session that ended leads to the login, and back afterwards. */
export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (error) => isLoggedOut(error) && toLogin() }),
  defaultOptions: {
    queries: { retry: (count, error) => count < 2 && error instanceof ApiError && error.status === 0, staleTime: 5000 },
  },
})

/** A link that is used up is refused with the same status, and is no reason to log in. */
const isLoggedOut = (error: unknown): boolean =>
  error instanceof ApiError && error.status === UNAUTHORIZED && error.code !== 'InvalidTokenError'

function toLogin(): void {
  const { pathname, href } = router.state.location
  if (pathname !== '/login') void router.navigate({ to: '/login', search: { next: href } })
}

const root = createRootRouteWithContext<{ queries: QueryClient }>()({ component: Outlet, notFoundComponent: NotFound })

const loginRoute = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (given: Record<string, unknown>): { next?: string } =>
    // only a path of this page, never another site
    typeof given.next === 'string' && /^\/(?![/\\])/.test(given.next) ? { next: given.next } : {},
  component: lazyRouteComponent(() => import('./login/login-page.tsx'), 'LoginPage'),
})

/** Where links lead by which people set a password: the first one, or a new one. */
const linkRoutes = (['/new-user', '/reset-password'] as const).map((path) =>
  createRoute({
    getParentRoute: () => root,
    path,
    validateSearch: ({ token }: Record<string, unknown>): { token: string } => ({ token: String(token ?? '') }),
    component: lazyRouteComponent(() => import('./login/link-page.tsx'), 'LinkPage'),
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
  component: lazyRouteComponent(() => import('./login/password-page.tsx'), 'PasswordPage'),
})

const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  beforeLoad: async ({ context, location }) => {
    try {
      if (mustChange(await context.queries.ensureQueryData(ME))) throw redirect({ to: '/password' })
    } catch (error) {
      if (isLoggedOut(error)) throw redirect({ to: '/login', search: { next: location.href } })
      throw error
    }
  },
  component: lazyRouteComponent(() => import('./ui/shell.tsx'), 'Shell'),
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
  component: lazyRouteComponent(() => import('./flag/flag-page.tsx'), 'FlagPage'),
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
    component: lazyRouteComponent(() => import('./segments/segments-page.tsx'), 'SegmentsPage'),
  }),
  createRoute({
    ...lazy,
    path: '/context-fields',
    validateSearch: readEditSearch,
    component: lazyRouteComponent(() => import('./context-fields/context-fields-page.tsx'), 'ContextFieldsPage'),
  }),
  createRoute({
    ...lazy,
    path: '/tag-types',
    validateSearch: readEditSearch,
    component: lazyRouteComponent(() => import('./tag-types/tag-types-page.tsx'), 'TagTypesPage'),
  }),
  createRoute({
    ...lazy,
    path: '/strategy-types',
    validateSearch: readEditSearch,
    component: lazyRouteComponent(() => import('./strategy-types/strategy-types-page.tsx'), 'StrategyTypesPage'),
  }),
  createRoute({
    ...lazy,
    path: '/tokens',
    validateSearch: ({ create }: Record<string, unknown>): { create?: boolean } => (create === true ? { create } : {}),
    component: lazyRouteComponent(() => import('./tokens/tokens-page.tsx'), 'TokensPage'),
  }),
  createRoute({
    ...lazy,
    path: '/events',
    validateSearch: readEventSearch,
    component: lazyRouteComponent(() => import('./events/events-page.tsx'), 'EventsPage'),
  }),
  createRoute({
    ...lazy,
    path: '/environments',
    validateSearch: readEditSearch,
    component: lazyRouteComponent(() => import('./environments/environments-page.tsx'), 'EnvironmentsPage'),
  }),
  createRoute({
    ...lazy,
    path: '/playground',
    validateSearch: readPlaygroundSearch,
    component: lazyRouteComponent(() => import('./playground/playground-page.tsx'), 'PlaygroundPage'),
  }),
  createRoute({
    ...lazy,
    path: '/projects',
    validateSearch: readProjectsSearch,
    component: lazyRouteComponent(() => import('./projects/projects-page.tsx'), 'ProjectsPage'),
  }),
  createRoute({
    ...lazy,
    path: '/projects/$project/settings',
    validateSearch: readSettingsSearch,
    component: lazyRouteComponent(() => import('./project-settings/settings-page.tsx'), 'SettingsPage'),
  }),
  createRoute({
    ...lazy,
    path: '/archive',
    validateSearch: readArchiveSearch,
    component: lazyRouteComponent(() => import('./archive/archive-page.tsx'), 'ArchivePage'),
  }),
  createRoute({
    ...lazy,
    path: '/users',
    validateSearch: readEditSearch,
    component: lazyRouteComponent(() => import('./users/users-page.tsx'), 'UsersPage'),
  }),
  createRoute({
    ...lazy,
    path: '/instance',
    validateSearch: readInstanceSearch,
    component: lazyRouteComponent(() => import('./instance/instance-page.tsx'), 'InstancePage'),
  }),
  createRoute({
    ...lazy,
    path: '/profile',
    validateSearch: readProfileSearch,
    component: lazyRouteComponent(() => import('./profile/profile-page.tsx'), 'ProfilePage'),
  }),
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
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
