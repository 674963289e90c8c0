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
import { call, path } from './http.ts'

const PROJECTS = '/api/admin/projects'
const one = (id: string) => `${PROJECTS}${path(id)}`

/** Projects that were put away. */
export const archivedProjects = async () =>
  (await call<{ projects: Project[] }>('GET', `${PROJECTS}?archived=true`)).projects.sort((a, b) =>
    a.name.localeCompare(b.name),
  )

/** What a project is and holds. */
export const projectOverview = (id: string) => call<ProjectOverview>('GET', `${one(id)}/overview`)

/** What can be told of a project from its flags, people and events. */
export const projectInsights = (id: string) => call<ProjectInsights>('GET', `${one(id)}/insights`)

/** How far the flags of a project are. */
export const projectStatus = (id: string) => call<ProjectStatus>('GET', `${one(id)}/status`)

/** Adds a project. */
export const createProject = (body: CreateProject) => call<CreatedProject>('POST', PROJECTS, body)

/** Changes name, description, mode and stickiness. */
export const updateProject = (id: string, body: UpdateProject) => call<void>('PUT', one(id), body)

/** Puts a project away, or takes it out again. */
export const archiveProject = (id: string, away: boolean) =>
  call<void>('POST', `${PROJECTS}${path(away ? 'archive' : 'revive', id)}`)

/** Removes a project without flags. */
export const removeProject = (id: string) => call<void>('DELETE', one(id))

/** Every environment as a project sees it, in their order. */
export const projectEnvironments = async (id: string) =>
  (
    await call<{ environments: ProjectEnvironment[] }>('GET', `/api/admin/environments${path('project', id)}`)
  ).environments.sort((a, b) => a.sortOrder - b.sortOrder || a.name.localeCompare(b.name))

/** Lets a project use an environment. */
export const addProjectEnvironment = (id: string, environment: Environment['name']) =>
  call<void>('POST', `${one(id)}/environments`, { environment })

/** Takes an environment from a project, with what its flags have there. */
export const removeProjectEnvironment = (id: string, environment: string) =>
  call<void>('DELETE', `${one(id)}${path('environments', environment)}`)
