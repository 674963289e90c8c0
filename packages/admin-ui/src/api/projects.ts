import type { Environment, Project } from '@burgee/protocol/project'
import { ENVIRONMENTS_PATH } from './first/first-paths.ts'
import { call } from './http.ts'

/** Fetches all projects, sorted by name. */
export const fetchProjects = async () =>
  (await call<{ projects: Project[] }>('GET', '/api/admin/projects')).projects.sort((a, b) =>
    a.name.localeCompare(b.name),
  )

/** Fetches all environments in their order. */
export const fetchEnvironments = async () =>
  (await call<{ environments: Environment[] }>('GET', ENVIRONMENTS_PATH)).environments.sort(
    (a, b) => a.sortOrder - b.sortOrder || a.name.localeCompare(b.name),
  )
