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
import { buildPath, call } from './http.ts'

/** Environment of a project. */
export interface EnvironmentRef {
  readonly project: string
  readonly environment: string
}

/** Change request of a project. */
export interface RequestRef {
  readonly project: string
  readonly id: number
}

const getRequestsPath = (project: string) => buildPath('api', 'admin', 'projects', project, 'change-requests')
const getRequestPath = ({ project, id }: RequestRef) => `${getRequestsPath(project)}${buildPath(id)}`
const getEnvironmentPath = ({ project, environment }: EnvironmentRef) =>
  buildPath('api', 'admin', 'projects', project, 'environments', environment, 'change-requests')

/** Lists the environments of a project with their change-request settings. */
export const fetchGuards = (project: string) => call<ChangeRequestConfig[]>('GET', `${getRequestsPath(project)}/config`)

/**
 * Updates the change-request settings of an environment: whether change requests are required, and how many approvals a
 * request needs.
 */
export const setGuard = (place: EnvironmentRef, body: ChangeRequestConfigInput) =>
  call<void>('PUT', `${getEnvironmentPath(place)}/config`, body)

/** Adds changes to the user's draft for an environment. The first change creates the draft. */
export const proposeChanges = (place: EnvironmentRef, changes: readonly ChangeInput[]) =>
  call<ChangeRequest>('POST', getEnvironmentPath(place), changes)

/**
 * Fetches the newest change requests of a project, without payloads and comments. Drafts of other users are not
 * included.
 */
export const fetchChangeRequests = (project: string) => call<ListedChangeRequest[]>('GET', getRequestsPath(project))

/** Fetches the user's open change requests. */
export const fetchMyOpenRequests = (project: string) =>
  call<ChangeRequest[]>('GET', `${getRequestsPath(project)}/pending`)

/** Fetches open change requests that contain changes to a flag. */
export const fetchFlagRequests = (project: string, feature: string) =>
  call<ChangeRequest[]>('GET', `${getRequestsPath(project)}${buildPath('pending', feature)}`)

/** Fetches one change request, with the conflicts that its changes have. */
export const fetchChangeRequest = (ref: RequestRef) => call<ChangeRequest>('GET', getRequestPath(ref))

/** Moves a change request to another state. */
export const setChangeRequestState = (ref: RequestRef, body: ChangeRequestStep) =>
  call<ChangeRequest>('PUT', `${getRequestPath(ref)}/state`, body)

/** Renames a change request. */
export const renameRequest = (ref: RequestRef, title: string) =>
  call<void>('PUT', `${getRequestPath(ref)}/title`, { title })

/** Adds a comment to a change request. */
export const commentOnRequest = (ref: RequestRef, text: string) =>
  call<void>('POST', `${getRequestPath(ref)}/comments`, { text })

/** Removes a draft or a cancelled change request. */
export const discardRequest = (ref: RequestRef) => call<void>('DELETE', getRequestPath(ref))

/** Removes one change from a change request. */
export const discardChange = (ref: RequestRef, change: number) =>
  call<void>('DELETE', `${getRequestPath(ref)}${buildPath('changes', change)}`)

/** Proposes the same change again, based on the flag's current state. */
export const rebaseChange = (ref: RequestRef, { id, action, payload }: ProposedChange) =>
  call<void>('PUT', `${getRequestPath(ref)}${buildPath('changes', id)}`, { action, payload })

/** Lists the users who may approve changes in an environment. */
export const fetchReviewers = ({ project, environment }: EnvironmentRef) =>
  call<Approver[]>('GET', `${getRequestsPath(project)}${buildPath('available-reviewers', environment)}`)

/** Lists the users who should review a change request. */
export const fetchRequestedReviewers = async (ref: RequestRef) =>
  (await call<{ reviewers: Approver[] }>('GET', `${getRequestPath(ref)}/approvers`)).reviewers

/** Replaces the users who should review a change request. */
export const setRequestedReviewers = (ref: RequestRef, people: readonly number[]) =>
  call<void>('PUT', `${getRequestPath(ref)}/approvers`, { reviewers: people })
