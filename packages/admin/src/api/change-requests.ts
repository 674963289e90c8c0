import type {
  Approver,
  ChangeInput,
  ChangeRequest,
  ChangeRequestConfig,
  ChangeRequestConfigInput,
  ChangeRequestStep,
  ListedChangeRequest,
  ProposedChange,
} from '@burgee/protocol/administration/change-request'
import { call, path } from './http.ts'

/** An environment of a project. */
export interface ProjectPlace {
  readonly project: string
  readonly environment: string
}

/** A change request of a project. */
export interface RequestRef {
  readonly project: string
  readonly id: number
}

const requestsPath = (project: string) => path('api', 'admin', 'projects', project, 'change-requests')
const requestPath = ({ project, id }: RequestRef) => `${requestsPath(project)}${path(id)}`
const placePath = ({ project, environment }: ProjectPlace) =>
  path('api', 'admin', 'projects', project, 'environments', environment, 'change-requests')

/** Lists the environments of a project with their change-request settings. */
export const guards = (project: string) => call<ChangeRequestConfig[]>('GET', `${requestsPath(project)}/config`)

/** Sets whether an environment requires change requests, and how many approvals a request needs. */
export const setGuard = (place: ProjectPlace, body: ChangeRequestConfigInput) =>
  call<void>('PUT', `${placePath(place)}/config`, body)

/** Adds changes to the user's draft for an environment. The first change creates the draft. */
export const propose = (place: ProjectPlace, changes: readonly ChangeInput[]) =>
  call<ChangeRequest>('POST', placePath(place), changes)

/**
 * Fetches the newest change requests of a project, without payloads and comments. Other users' drafts are not included.
 */
export const changeRequests = (project: string) => call<ListedChangeRequest[]>('GET', requestsPath(project))

/** Fetches the user's open change requests. */
export const ownRequests = (project: string) => call<ChangeRequest[]>('GET', `${requestsPath(project)}/pending`)

/** Fetches open change requests that change a flag. */
export const requestsOfFlag = (project: string, feature: string) =>
  call<ChangeRequest[]>('GET', `${requestsPath(project)}${path('pending', feature)}`)

/** Fetches one change request with the conflicts of its changes. */
export const changeRequest = (ref: RequestRef) => call<ChangeRequest>('GET', requestPath(ref))

/** Moves a change request to another state. */
export const takeStep = (ref: RequestRef, body: ChangeRequestStep) =>
  call<ChangeRequest>('PUT', `${requestPath(ref)}/state`, body)

/** Renames a change request. */
export const renameRequest = (ref: RequestRef, title: string) =>
  call<void>('PUT', `${requestPath(ref)}/title`, { title })

/** Adds a comment to a change request. */
export const commentOnRequest = (ref: RequestRef, text: string) =>
  call<void>('POST', `${requestPath(ref)}/comments`, { text })

/** Removes a draft or a cancelled change request. */
export const discardRequest = (ref: RequestRef) => call<void>('DELETE', requestPath(ref))

/** Removes one change from a change request. */
export const discardChange = (ref: RequestRef, change: number) =>
  call<void>('DELETE', `${requestPath(ref)}${path('changes', change)}`)

/** Proposes the same change again, against the current state of its flag. */
export const renewChange = (ref: RequestRef, { id, action, payload }: ProposedChange) =>
  call<void>('PUT', `${requestPath(ref)}${path('changes', id)}`, { action, payload })

/** Lists the users who may approve changes of an environment. */
export const reviewers = ({ project, environment }: ProjectPlace) =>
  call<Approver[]>('GET', `${requestsPath(project)}${path('available-reviewers', environment)}`)

/** Lists the requested reviewers of a change request. */
export const approvers = async (ref: RequestRef) =>
  (await call<{ reviewers: Approver[] }>('GET', `${requestPath(ref)}/approvers`)).reviewers

/** Replaces the requested reviewers of a change request. */
export const askApprovers = (ref: RequestRef, people: readonly number[]) =>
  call<void>('PUT', `${requestPath(ref)}/approvers`, { reviewers: people })
