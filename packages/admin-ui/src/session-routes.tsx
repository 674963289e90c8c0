import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, createRoute, Outlet, redirect } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { ApiError } from './api/http.ts'
import { AppSkeleton } from './shell/page-skeleton.tsx'
import { NotFound, RouteProblem } from './shell/route-problem.tsx'
import { ME, mustChangePassword } from './shell/session/session.tsx'
import { SessionGuard } from './shell/session/session-guard.tsx'
import { rememberSession } from './shell/session/session-mark.ts'
import { Shell } from './shell/shell.tsx'
import { ConfirmProvider } from './ui/dialog/confirm.tsx'
import { lazyPart } from './ui/loading/lazy-part.tsx'

const isLoggedOut = (error: unknown): boolean => error instanceof ApiError && error.isLoggedOut

/** Creates a route component that is loaded on demand. */
export const createLazyPage = (name: string, load: () => Promise<ComponentType>) =>
  ({ component: lazyPart(name, load) }) as const

/** Root of all routes. */
export const rootRoute = createRootRouteWithContext<{ queries: QueryClient }>()({
  component: Root,
  notFoundComponent: NotFound,
})

function Root() {
  return (
    <ConfirmProvider>
      <Outlet />
      <SessionGuard />
    </ConfirmProvider>
  )
}

/** Login page; `next` is the page that the user requested. */
export const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  validateSearch: (given: Record<string, unknown>): { next?: string } =>
    // Accept only paths within this UI, to prevent open redirects.
    typeof given.next === 'string' && /^\/(?![/\\])/.test(given.next) ? { next: given.next } : {},
  ...createLazyPage('LoginPage', async () => (await import('./login/login-page.tsx')).LoginPage),
})

/** Pages that links for setting a first or new password open. */
export const linkRoutes = (['/new-user', '/reset-password'] as const).map((path) =>
  createRoute({
    getParentRoute: () => rootRoute,
    path,
    validateSearch: ({ token, invite }: Record<string, unknown>): { token: string; invite?: string } => ({
      token: String(token ?? ''),
      ...(invite === undefined ? {} : { invite: String(invite) }),
    }),
    ...createLazyPage('LinkPage', async () => (await import('./login/link-page.tsx')).LinkPage),
  }),
)

/** Parent of all routes for logged-in users. */
export const loggedInRoute = createRoute({
  getParentRoute: () => rootRoute,
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

/** Page for changing a password that someone else has set. */
export const passwordRoute = createRoute({
  getParentRoute: () => loggedInRoute,
  path: '/password',
  ...createLazyPage('PasswordPage', async () => (await import('./login/password-page.tsx')).PasswordPage),
})

/** Parent of all routes that require a session without a pending password change. */
export const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  beforeLoad: async ({ context, location }) => {
    try {
      if (mustChangePassword(await context.queries.ensureQueryData(ME))) throw redirect({ to: '/password' })
      rememberSession()
    } catch (error) {
      if (isLoggedOut(error)) throw redirect({ to: '/login', search: { next: location.href } })
      throw error
    }
  },
  component: Shell,
  errorComponent: RouteProblem,
  pendingComponent: AppSkeleton,
})
