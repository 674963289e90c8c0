import type { ReleaseTemplate, ReleaseTemplateInput } from '@burgee/protocol/administration/release-plan'
import { buildPath, call } from './http.ts'

const TEMPLATES = '/api/admin/release-plan-templates'
const getTemplatePath = (id: string) => `${TEMPLATES}${buildPath(id)}`

/** Query for all release templates, archived templates included. */
export const RELEASE_TEMPLATES = {
  queryKey: ['release-templates'],
  queryFn: () => call<ReleaseTemplate[]>('GET', TEMPLATES),
} as const

/** Fetches one release template. */
export const fetchReleaseTemplate = (id: string) => call<ReleaseTemplate>('GET', getTemplatePath(id))

/** Creates a release template. */
export const createReleaseTemplate = (body: ReleaseTemplateInput) => call<ReleaseTemplate>('POST', TEMPLATES, body)

/** Replaces a release template. Existing release plans keep their milestones. */
export const replaceReleaseTemplate = (id: string, body: ReleaseTemplateInput) =>
  call<ReleaseTemplate>('PUT', getTemplatePath(id), body)

/** Archives a release template: it can no longer be changed or used for new plans. */
export const archiveReleaseTemplate = (id: string) => call<void>('POST', `${TEMPLATES}${buildPath('archive', id)}`)

/** Deletes a release template. */
export const removeReleaseTemplate = (id: string) => call<void>('DELETE', getTemplatePath(id))
