import type { ProjectStatus } from '@burgee/protocol/administration/project-status'
import type { ProjectEnvironment } from '@burgee/protocol/environment'
import type {
  CreatedProject,
  CreateProject,
  Environment,
  Project,
  ProjectInsights,
  ProjectOverview,
  UpdateProject,
} from '@burgee/protocol/project'
import type { DefaultStrategy } from '@burgee/protocol/targeting/strategy'
import { buildPath, call } from './http.ts'

const PROJECTS = '/api/admin/projects'
const getProjectPath = (id: string) => `${PROJECTS}${buildPath(id)}`

/** Fetches archived projects. */
export const fetchArchivedProjects = async () =>
  (await call<{ projects: Project[] }>('GET', `${PROJECTS}?archived=true`)).projects.sort((a, b) =>
    a.name.localeCompare(b.name),
  )

/** Fetches the overview of a project. */
export const fetchProjectOverview = (id: string) => call<ProjectOverview>('GET', `${getProjectPath(id)}/overview`)

/** Fetches the insights of a project, derived from its flags, people and events. */
export const fetchProjectInsights = (id: string) => call<ProjectInsights>('GET', `${getProjectPath(id)}/insights`)

/** Fetches the status of a project's flags. */
export const fetchProjectStatus = (id: string) => call<ProjectStatus>('GET', `${getProjectPath(id)}/status`)

/** Creates a project. */
export const createProject = (body: CreateProject) => call<CreatedProject>('POST', PROJECTS, body)

/** Changes the name, description, mode and default stickiness of a project. */
export const updateProject = (id: string, body: UpdateProject) => call<void>('PUT', getProjectPath(id), body)

/** Archives or revives a project. */
export const setProjectArchived = (id: string, away: boolean) =>
  call<void>('POST', `${PROJECTS}${buildPath(away ? 'archive' : 'revive', id)}`)

/** Removes a project that has no flags. */
export const removeProject = (id: string) => call<void>('DELETE', getProjectPath(id))

/** Fetches all environments in display order, each with its settings in a project. */
export const fetchProjectEnvironments = async (id: string) =>
  (
    await call<{ environments: ProjectEnvironment[] }>('GET', `/api/admin/environments${buildPath('project', id)}`)
  ).environments.sort((a, b) => a.sortOrder - b.sortOrder || a.name.localeCompare(b.name))

/** Enables an environment for a project. */
export const addProjectEnvironment = (id: string, environment: Environment['name']) =>
  call<void>('POST', `${getProjectPath(id)}/environments`, { environment })

/** Removes an environment from a project, together with the configuration that the project's flags have in it. */
export const removeProjectEnvironment = (id: string, environment: string) =>
  call<void>('DELETE', `${getProjectPath(id)}${buildPath('environments', environment)}`)

/** Sets the default strategy of a project in an environment. */
export const setDefaultStrategy = (id: string, environment: string, body: DefaultStrategy) =>
  call<DefaultStrategy>(
    'POST',
    `${getProjectPath(id)}${buildPath('environments', environment, 'default-strategy')}`,
    body,
  )
