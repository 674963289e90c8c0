import type { Route } from '@burgee/kit/route'
import type { ServerWorld } from '../services/server-world.ts'
import type { Access } from './auth.ts'
import { contextFieldRoutes } from './context-field-routes.ts'
import { environmentRoutes } from './environment-routes.ts'
import { featureTypeRoutes } from './feature-type-routes.ts'
import { peopleRoutes } from './people-routes.ts'
import { projectAccessRoutes } from './project-access-routes.ts'
import { projectEnvironmentRoutes } from './project-environment-routes.ts'
import { strategyTypeRoutes } from './strategy-type-routes.ts'

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
