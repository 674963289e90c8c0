import type { Environment, Project } from '@burgee/protocol/project'
import { ENVIRONMENTS_PATH } from './first/first-paths.ts'
import { buildPath, call } from './http.ts'

/** Fetches all projects, sorted by name. */
export const fetchProjects = async () =>
  (await call<{ projects: Project[] }>('GET', '/api/admin/projects')).projects.sort((a, b) =>
    a.name.localeCompare(b.name),
  )

/** Adds a project to the user's favorites, or removes the project from the favorites. */
export const setProjectFavorite = (project: string, isOne: boolean) =>
  call<void>(isOne ? 'POST' : 'DELETE', buildPath('api', 'admin', 'projects', project, 'favorites'))

/** Fetches all environments in display order. */
export const fetchEnvironments = async () =>
  (await call<{ environments: Environment[] }>('GET', ENVIRONMENTS_PATH)).environments.sort(
    (a, b) => a.sortOrder - b.sortOrder || a.name.localeCompare(b.name),
  )
