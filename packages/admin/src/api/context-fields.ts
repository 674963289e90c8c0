import type { ContextFieldView, CreateContextField, UpdateContextField } from '@burgee/protocol/context-field'
import { call, path } from './http.ts'

const FIELDS = '/api/admin/context'

/** All context fields, in their order. */
export const contextFields = () => call<ContextFieldView[]>('GET', FIELDS)

/** Adds a context field. */
export const createField = (body: CreateContextField) => call<ContextFieldView>('POST', FIELDS, body)

/** Replaces everything of a context field but its name and its place in lists. */
export const replaceField = (name: string, body: UpdateContextField) =>
  call<void>('PUT', `${FIELDS}${path(name)}`, body)

/** Removes a context field that nothing reads. */
export const removeField = (name: string) => call<void>('DELETE', `${FIELDS}${path(name)}`)
