import type { ContextFieldView, CreateContextField, UpdateContextField } from '@burgee/protocol/targeting/context-field'
import { buildPath, call, fetchWithEtag } from './http.ts'

const FIELDS = '/api/admin/context'

/** Fetches all context fields in display order. */
export const fetchContextFields = () => call<ContextFieldView[]>('GET', FIELDS)

/** Fetches one context field with its ETag. */
export const fetchContextField = (name: string) => fetchWithEtag<ContextFieldView>(`${FIELDS}${buildPath(name)}`)

/** Creates a context field. */
export const createField = (body: CreateContextField) => call<ContextFieldView>('POST', FIELDS, body)

/**
 * Replaces all properties of a context field except its name and its position in lists. Fails with 412 if the field no
 * longer matches `ifMatch`.
 */
export const replaceField = (name: string, body: UpdateContextField, ifMatch?: string) =>
  call<void>('PUT', `${FIELDS}${buildPath(name)}`, body, ifMatch)

/** Removes an unused context field. */
export const removeField = (name: string) => call<void>('DELETE', `${FIELDS}${buildPath(name)}`)
