import type { Route } from '@burgee/kit/http/route'
import type { ServerWorld } from '../services/server-world.ts'
import type { Access } from './access/auth.ts'
import { peopleRoutes } from './access/people-routes.ts'
import { featureTypeRoutes } from './features/feature-type-routes.ts'
import { environmentRoutes } from './projects/environment-routes.ts'
import { projectAccessRoutes } from './projects/project-access-routes.ts'
import { projectEnvironmentRoutes } from './projects/project-environment-routes.ts'
import { contextFieldRoutes } from './targeting/context-field-routes.ts'
import { strategyTypeRoutes } from './targeting/strategy-type-routes.ts'

/** Routes around what flags live in and are made of: environments, projects and their people, context fields, types. */
export const setupRoutes = (world: ServerWorld): Route<Access>[] => [
  ...environmentRoutes(world),
  ...projectEnvironmentRoutes(world),
  ...projectAccessRoutes(world),
  ...peopleRoutes(world),
  ...contextFieldRoutes(world),
  ...strategyTypeRoutes(world),
  ...featureTypeRoutes(world),
]
