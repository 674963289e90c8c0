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

/** Which environments of a project take changes by change request only. */
export const guards = (project: string) => call<ChangeRequestConfig[]>('GET', `${requestsPath(project)}/config`)

/** Says whether an environment takes changes by change request only, and how many must approve. */
export const setGuard = (place: ProjectPlace, body: ChangeRequestConfigInput) =>
  call<void>('PUT', `${placePath(place)}/config`, body)

/** Puts changes into the person's draft for an environment, which begins with the first. */
export const propose = (place: ProjectPlace, changes: readonly ChangeInput[]) =>
  call<ChangeRequest>('POST', placePath(place), changes)

/** The newest change requests of a project, without payloads and comments; of drafts only the person's own. */
export const changeRequests = (project: string) => call<ListedChangeRequest[]>('GET', requestsPath(project))

/** The open ones of the person. */
export const ownRequests = (project: string) => call<ChangeRequest[]>('GET', `${requestsPath(project)}/pending`)

/** The open ones that change a flag. */
export const requestsOfFlag = (project: string, feature: string) =>
  call<ChangeRequest[]>('GET', `${requestsPath(project)}${path('pending', feature)}`)

/** One change request, with what is in the way of its changes. */
export const changeRequest = (ref: RequestRef) => call<ChangeRequest>('GET', requestPath(ref))

/** Takes it a step further. */
export const takeStep = (ref: RequestRef, body: ChangeRequestStep) =>
  call<ChangeRequest>('PUT', `${requestPath(ref)}/state`, body)

/** Gives it another title. */
export const renameRequest = (ref: RequestRef, title: string) =>
  call<void>('PUT', `${requestPath(ref)}/title`, { title })

/** Says something of it. */
export const commentOnRequest = (ref: RequestRef, text: string) =>
  call<void>('POST', `${requestPath(ref)}/comments`, { text })

/** Removes a draft, or one that was cancelled. */
export const discardRequest = (ref: RequestRef) => call<void>('DELETE', requestPath(ref))

/** Takes a change out of it. */
export const discardChange = (ref: RequestRef, change: number) =>
  call<void>('DELETE', `${requestPath(ref)}${path('changes', change)}`)

/** Proposes the same change against its flag as it is now. */
export const renewChange = (ref: RequestRef, { id, action, payload }: ProposedChange) =>
  call<void>('PUT', `${requestPath(ref)}${path('changes', id)}`, { action, payload })

/** Who may approve changes of an environment. */
export const reviewers = ({ project, environment }: ProjectPlace) =>
  call<Approver[]>('GET', `${requestsPath(project)}${path('available-reviewers', environment)}`)

/** Who is asked to approve it. */
export const approvers = async (ref: RequestRef) =>
  (await call<{ reviewers: Approver[] }>('GET', `${requestPath(ref)}/approvers`)).reviewers

/** Asks exactly these people to approve. */
export const askApprovers = (ref: RequestRef, people: readonly number[]) =>
  call<void>('PUT', `${requestPath(ref)}/approvers`, { reviewers: people })
